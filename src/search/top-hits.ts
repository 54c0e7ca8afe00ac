/** Keeps the best `limit` of what it is offered: a heap with the worst on top. Equal scores go by row id, lesser first. */
export class TopHits {
  readonly #limit: number;
  readonly #scores: number[] = [];
  readonly #rows: number[] = [];
  readonly #documents: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A score below this cannot get in; one that equals it may. */
  get threshold(): number {
    return this.#scores.length < this.#limit ? 0 : (this.#scores[0] ?? 0);
  }

  offer(score: number, row: number, document: number): void {
    if (this.#scores.length < this.#limit) {
      this.#scores.push(score);
      this.#rows.push(row);
      this.#documents.push(document);
      this.#rise(this.#scores.length - 1);
    } else if (this.#limit > 0 && this.#worse(this.#scores[0] ?? 0, this.#rows[0] ?? 0, score, row)) {
      this.#scores[0] = score;
      this.#rows[0] = row;
      this.#documents[0] = document;
      this.#sink();
    }
  }

  /** Best first. */
  sorted(): { readonly score: number; readonly row: number; readonly document: number }[] {
    return this.#scores
      .map((score, i) => ({ score, row: this.#rows[i] ?? 0, document: this.#documents[i] ?? 0 }))
      .sort((a, b) => b.score - a.score || a.row - b.row);
  }

  #worse(score: number, row: number, thanScore: number, thanRow: number): boolean {
    return score < thanScore || (score === thanScore && row > thanRow);
  }

  #worseAt(a: number, b: number): boolean {
    return this.#worse(this.#scores[a] ?? 0, this.#rows[a] ?? 0, this.#scores[b] ?? 0, this.#rows[b] ?? 0);
  }

  #swap(a: number, b: number): void {
    for (const values of [this.#scores, this.#rows, this.#documents]) {
      const kept = values[a] ?? 0;
      values[a] = values[b] ?? 0;
      values[b] = kept;
    }
  }

  #rise(from: number): void {
    for (let i = from; i > 0;) {
      const parent = (i - 1) >> 1;
      if (!this.#worseAt(i, parent)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(): void {
    for (let i = 0; ;) {
      let worst = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < this.#scores.length && this.#worseAt(child, worst)) worst = child;
      }
      if (worst === i) return;
      this.#swap(i, worst);
      i = worst;
    }
  }
}
