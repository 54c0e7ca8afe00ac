import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../src/config/settings.ts";

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
])("refuses %j with %j", (flags, environment, message) => {
  expect(() => readSettings(flags, environment)).toThrow(message);
});
