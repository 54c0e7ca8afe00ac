import { expect, it } from "vitest";
import { operationPlace, partName, partNameOfFragment } from "../../src/domain/page-part.ts";

it("a part is named after its page, before the parameters", () => {
  const { path, fragment } = operationPlace("get Pet");
  expect([path, fragment]).toEqual(["operations/get%20Pet", "operation/get%20Pet"]);
  expect(partName("documents/e.org/api.json", path)).toBe("documents/e.org/api.json/operations/get%20Pet");
  expect(partName("documents/e.org/api?v=1", path)).toBe("documents/e.org/api/operations/get%20Pet?v=1");
});

it("a fragment leads to a part, however it is encoded", () => {
  const name = "documents/e.org/api.json/operations/get%20Pet";
  expect(partNameOfFragment("documents/e.org/api.json", "operation/get%20Pet")).toBe(name);
  expect(partNameOfFragment("documents/e.org/api.json", "operation/get Pet")).toBe(name);
  expect(partNameOfFragment("documents/e.org/api.json", "schema-Pet")).toBeUndefined();
  expect(partNameOfFragment("documents/e.org/api.json", "operation/%zz")).toBeUndefined();
});
