// Which columns are equal to each other, and to a parameter.

/** Sets of equal columns (union-find). */
export class Equalities {
  readonly #parents = new Map<string, string>()
  readonly #fixed = new Set<string>()
  readonly #following: { readonly from: string; readonly to: string }[] = []

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

  /** `to` equals a parameter when `from` does, and not the other way round: as in an outer join. */
  follow(from: string, to: string): void {
    this.#following.push({ from, to })
  }

  isFixed(column: string, seen: ReadonlySet<string> = new Set()): boolean {
    const root = this.#rootOf(column)
    if (this.#fixed.has(root)) return true
    if (seen.has(root)) return false
    const next = new Set([...seen, root])
    return this.#following.some(({ from, to }) => this.#rootOf(to) === root && this.isFixed(from, next))
  }
}
