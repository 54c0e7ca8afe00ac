import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../src/config/settings.ts";
import { tempFolder } from "../support/temp-folder.ts";

it("takes flags before the environment, and the environment before defaults", () => {
  const environment = { CARREL_PORT: "9000", CARREL_DATA: "from-environment", CARREL_HOST: "", PATH: "/bin" };
  expect(readSettings({ data: "from-flag" }, environment)).toMatchObject({
    data: resolve("from-flag"),
    port: 9000,
    host: "127.0.0.1",
    contact: "",
  });
});

it("takes a server that writes answers, whose key is in a file", () => {
  const environment = {
    CARREL_ANSWER_ENDPOINT: "http://127.0.0.1:11434/v1",
    CARREL_ANSWER_MODEL: "small",
    CARREL_ANSWER_KEY_FILE: "key",
  };
  const answering = {
    answerEndpoint: "http://127.0.0.1:11434/v1",
    answerModel: "small",
    answerKeyFile: resolve("key"),
  };
  expect(readSettings({}, environment)).toMatchObject(answering);
  expect(readSettings({}, {})).toMatchObject({ answerEndpoint: "", answerModel: "", answerKeyFile: "" });
});

it("takes how to serve: keys beside the stores, no limit, no TLS, and a whole log, unless it is said", () => {
  expect(readSettings({ data: "stores" }, {})).toMatchObject({
    keysFile: resolve("stores/keys.json"),
    rateLimit: 0,
    tlsCert: "",
    tlsKey: "",
    corsOrigins: [],
    accessLog: true,
    logQueries: true,
  });
  const environment = {
    CARREL_KEYS_FILE: "secrets/keys.json",
    CARREL_RATE_LIMIT: "600",
    CARREL_TLS_CERT: "cert.pem",
    CARREL_TLS_KEY: "key.pem",
    CARREL_CORS_ORIGINS: "https://a.example, http://b.example:8080,",
    CARREL_ACCESS_LOG: "false",
    CARREL_LOG_QUERIES: "false",
  };
  expect(readSettings({}, environment)).toMatchObject({
    keysFile: resolve("secrets/keys.json"),
    rateLimit: 600,
    tlsCert: resolve("cert.pem"),
    tlsKey: resolve("key.pem"),
    corsOrigins: ["https://a.example", "http://b.example:8080"],
    accessLog: false,
    logQueries: false,
  });
});

it.each([
  [{ port: "http" }, {}, /"http" is no port/],
  [{ port: "70000" }, {}, /"70000" is no port/],
  [{ port: "" }, {}, /"" is no port/],
  [{}, { CARREL_PORTS: "1" }, /CARREL_PORTS, which is no setting/],
  [{}, { CARREL_ANSWER_ENDPOINT: "localhost:11434", CARREL_ANSWER_MODEL: "m" }, /no http or https URL/],
  [{}, { CARREL_ANSWER_ENDPOINT: "http://user:key@localhost/", CARREL_ANSWER_MODEL: "m" }, /a key goes into a file/],
  [{}, { CARREL_ANSWER_ENDPOINT: "http://localhost:11434" }, /CARREL_ANSWER_MODEL is not; an answer needs/],
  [{}, { CARREL_ANSWER_MODEL: "m" }, /CARREL_ANSWER_ENDPOINT is not; an answer needs/],
  [{}, { CARREL_ANSWER_KEY: "s3cret" }, /CARREL_ANSWER_KEY, which is no setting/],
  [{}, { CARREL_CONTACT: "a\r\nCookie: b" }, /plain ASCII/],
  [{}, { CARREL_RATE_LIMIT: "-1" }, /CARREL_RATE_LIMIT is "-1"/],
  [{}, { CARREL_RATE_LIMIT: "1e3" }, /whole number of requests a minute/],
  [{}, { CARREL_TLS_CERT: "cert.pem" }, /CARREL_TLS_KEY is not; TLS needs/],
  [{}, { CARREL_TLS_KEY: "key.pem" }, /CARREL_TLS_CERT is not; TLS needs/],
  [{}, { CARREL_CORS_ORIGINS: "*" }, /"\*", which is no origin/],
  [{}, { CARREL_CORS_ORIGINS: "https://a.example/" }, /which is no origin/],
  [{}, { CARREL_CORS_ORIGINS: "https://a.example, null" }, /"null", which is no origin/],
  [{}, { CARREL_ACCESS_LOG: "no" }, /CARREL_ACCESS_LOG is "no"; give true or false/],
  [{}, { CARREL_LOG_QUERIES: "0" }, /CARREL_LOG_QUERIES is "0"; give true or false/],
])("refuses %j with %j", (flags, environment, message) => {
  expect(() => readSettings(flags, environment)).toThrow(message);
});

it("refuses a data folder that is a file, or lies below one", () => {
  const file = join(tempFolder(), "file");
  writeFileSync(file, "");
  expect(() => readSettings({ data: file }, {})).toThrow(
    /file is a file, and the stores need a folder; name one with --data/,
  );
  expect(() => readSettings({ data: join(file, "a", "b") }, {})).toThrow(/b cannot be a folder, for .*file is a file/);
  expect(readSettings({ data: join(file, "..", "new", "data") }, {}).data).toMatch(/new\/data$/);
});
