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

it.each([
  [{ port: "http" }, {}, /"http" is no port/],
  [{ port: "70000" }, {}, /"70000" is no port/],
  [{ port: "" }, {}, /"" is no port/],
  [{}, { CARREL_PORTS: "1" }, /CARREL_PORTS, which is no setting/],
  [{}, { CARREL_CONTACT: "a\r\nCookie: b" }, /plain ASCII/],
])("refuses %j with %j", (flags, environment, message) => {
  expect(() => readSettings(flags, environment)).toThrow(message);
});
