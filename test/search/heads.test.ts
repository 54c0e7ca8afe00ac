import { describe, expect, it } from "vitest";
import { headsOf } from "../../src/search/heads.ts";

describe("headsOf", () => {
  it("finds the terms of definition lists, without types", () => {
    expect(
      headsOf("- `nest_size` (`integer`): Sets how many eggs fit.\n- `-s` `--size-only`: Prints `--no-eggs` and more."),
    ).toEqual(["nest_size", "-s   --size-only"]);
    expect(headsOf("- path entry hook: A callable.\n* **Egg**: What is in it.\n  - `inner`\n    Its body.")).toEqual([
      "path entry hook",
      "Egg",
      "inner",
    ]);
    expect(headsOf("- [`nest`](https://birds.example/nest.html#a) (*list*): What holds eggs.")).toEqual(["nest"]);
  });

  it("takes no sentence for a term", () => {
    expect(
      headsOf(
        "- The nest is built in spring, and there is one thing to heed: rain.\n- Call `lay()` first. Then: wait.\n- Eggs",
      ),
    ).toEqual([]);
    expect(headsOf("The option `--size`: it sets the size.\n\nNote: `x`")).toEqual([]);
  });

  it("finds signatures by their names", () => {
    expect(
      headsOf(
        "`nest.build(twigs, *, size=3) -> Nest`\n\nBuilds one.\n\n`nest.SIZE: int`\n\n`nest.egg`, which is said elsewhere",
      ),
    ).toEqual(["nest.build", "nest.SIZE"]);
  });

  it("finds the names in the first column of tables", () => {
    expect(
      headsOf("| Name | Meaning |\n| --- | --- |\n| `EGG_BLUE` | blue |\n| `EGG_RED` (old) | `red` |\n| plain | x |"),
    ).toEqual(["EGG_BLUE", "EGG_RED"]);
  });

  it("finds nothing in code", () => {
    expect(headsOf("```yaml\n- size: 3\n`x`\n```\n~~~\n- `a`: b\n~~~\n- `after`: here")).toEqual(["after"]);
  });

  it("takes time linear in the text, whatever is in it", () => {
    for (const piece of ["- `", "- [", "`", "| `", "- a(", "- `a` ", "- a: \n", "```\n"]) {
      const started = performance.now();
      headsOf(piece.repeat(200_000));
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});
