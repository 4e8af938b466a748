// Which columns are equal to each other, and to a parameter.

/** Sets of equal columns (union-find). */
export class Equalities {
  readonly #parents = new Map<string, string>()
  readonly #fixed = new Set<string>()

  #rootOf(column: string): string {
    let root = column
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next
    return root
  }

  join(one: string, other: string): void {
    const [from, to] = [this.#rootOf(one), this.#rootOf(other)]
    if (from === to) return
    this.#parents.set(from, to)
    if (this.#fixed.has(from)) this.#fixed.add(to)
  }

  /** The column equals a parameter or a constant. */
  fix(column: string): void {
    this.#fixed.add(this.#rootOf(column))
  }

  isFixed(column: string): boolean {
    return this.#fixed.has(this.#rootOf(column))
  }
}
