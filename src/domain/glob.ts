/** A glob over whole URLs: `*` is anything but a slash, `**` anything, `?` one character that is no slash. */
export type Glob = string;

/** Whether a text matches as a whole. */
export type Matcher = (text: string) => boolean;

/** What stands in a glob besides character codes. */
const ONE = -1;
const MANY = -2;
const DEEP = -3;
const SLASH = 47;

/**
 * Prepares a glob. Takes O(glob × text) steps at most, and for most texts only looks at both ends, since what stands before
 * the first wildcard and behind the last one is compared before anything is searched.
 */
export function compileGlob(glob: Glob): Matcher {
  const symbols = symbolsOf(glob);
  const first = symbols.findIndex(isWildcard);
  if (first === -1) return (text) => text === glob;
  const last = symbols.findLastIndex(isWildcard);
  const prefix = literal(symbols.slice(0, first));
  const suffix = literal(symbols.slice(last + 1));
  const middle = symbols.slice(first, last + 1);
  const needles = literalRuns(middle);
  const isDeepOnly = middle.every((symbol) => symbol === DEEP || !isWildcard(symbol));
  const simulate = simulation(middle);
  const fixed = prefix.length + suffix.length;
  return (text) => {
    if (text.length < fixed || !text.startsWith(prefix) || !text.endsWith(suffix)) return false;
    const end = text.length - suffix.length;
    let at = prefix.length;
    for (const needle of needles) {
      at = text.indexOf(needle, at);
      if (at === -1) return false;
      at += needle.length;
    }
    if (at > end) return false;
    // Between `**` each needle may stand anywhere, and the first place leaves the most to the others.
    return isDeepOnly || simulate(text, prefix.length, end);
  };
}

function symbolsOf(glob: Glob): number[] {
  const symbols: number[] = [];
  for (let i = 0; i < glob.length; i++) {
    const character = glob[i];
    if (character === "?") symbols.push(ONE);
    else if (character !== "*") symbols.push(glob.charCodeAt(i));
    else if (glob[i + 1] === "*") {
      i++;
      symbols.push(DEEP);
    } else symbols.push(MANY);
  }
  return symbols;
}

function isWildcard(symbol: number): boolean {
  return symbol < 0;
}

function literal(symbols: readonly number[]): string {
  return String.fromCharCode(...symbols);
}

function literalRuns(symbols: readonly number[]): string[] {
  const runs: string[] = [];
  let run: number[] = [];
  for (const symbol of [...symbols, DEEP]) {
    if (!isWildcard(symbol)) run.push(symbol);
    else if (run.length > 0) {
      runs.push(literal(run));
      run = [];
    }
  }
  return runs;
}

/** Follows all the places in the symbols at which a text may be at the same time, so that nothing is tried twice. */
function simulation(symbols: readonly number[]): (text: string, from: number, to: number) => boolean {
  const end = symbols.length;
  let here = new Int32Array(end + 1);
  let there = new Int32Array(end + 1);
  /** The step at which a place was last reached. Steps are counted over all texts, which 32 bits would not hold. */
  const reachedAt = new Float64Array(end + 1);
  let step = 0;
  let count = 0;

  function reach(place: number): void {
    for (let at = place; reachedAt[at] !== step; at++) {
      reachedAt[at] = step;
      there[count++] = at;
      const symbol = symbols[at];
      // A star may stand for nothing.
      if (symbol !== MANY && symbol !== DEEP) return;
    }
  }

  return (text, from, to) => {
    step++;
    count = 0;
    reach(0);
    for (let t = from; t < to && count > 0; t++) {
      [here, there] = [there, here];
      const places = count;
      const code = text.charCodeAt(t);
      step++;
      count = 0;
      for (let i = 0; i < places; i++) {
        const place = here[i] ?? end;
        const symbol = symbols[place];
        if (symbol === code || (symbol === ONE && code !== SLASH)) reach(place + 1);
        else if (symbol === DEEP || (symbol === MANY && code !== SLASH)) reach(place);
      }
    }
    return count > 0 && reachedAt[end] === step;
  };
}
