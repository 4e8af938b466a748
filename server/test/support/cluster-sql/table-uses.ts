// Finds every table of a statement, and whether its `workspace_id` is given.
import type { CommonTableExpr, Node, RangeVar, ReturningClause, SelectStmt, WithClause } from 'libpg-query'
import { Equalities } from './equalities.ts'
import { type ColumnId, columnId, isConstant, type Range, resolveColumn, type Scope } from './scopes.ts'
import { as, conjuncts, type NodeOf, stringsOf, visitNodes } from './tree.ts'

export interface StatementTable {
  readonly table: string
  /**
   * How `workspace_id` is given. `here`: it equals a parameter, on the table's own level: Citus sends the statement to
   * one node. `elsewhere`: only through a subquery, a part of WITH or a reference to an outer level. `never`: the
   * statement is about all workspaces.
   */
  readonly given: 'here' | 'elsewhere' | 'never'
  readonly isInserted: boolean
  /** Whether rows are locked (FOR UPDATE). */
  readonly isLocked: boolean
}

type Columns = Range['columns']
type Parts = ReadonlyMap<string, Columns>

const noColumns: Columns = new Map()

/** Levels with these parts are planned on their own; conditions around them do not get in, nor theirs out. */
const isSimple = (query: SelectStmt): boolean =>
  (query.op ?? 'SETOP_NONE') === 'SETOP_NONE' &&
  !query.distinctClause &&
  !query.groupClause &&
  !query.havingClause &&
  !query.windowClause &&
  !query.limitCount &&
  !query.limitOffset &&
  !query.lockingClause &&
  !query.withClause

export class StatementTables {
  /** What PostgreSQL concludes on one level, as Citus does to choose the shard. */
  readonly #here = new Equalities()
  /** What follows from the statement as a whole. */
  readonly #anywhere = new Equalities()
  readonly #found: { range: Range; isInserted: boolean; isLocked: boolean }[] = []
  #nextId = 0

  constructor(statement: Node) {
    this.#statement(statement, undefined, new Map(), false)
  }

  get all(): StatementTable[] {
    return this.#found.map(({ range, isInserted, isLocked }) => {
      const column = columnId(range, 'workspace_id')
      const anywhere = this.#anywhere.isFixed(column) ? 'elsewhere' : 'never'
      const given = this.#here.isFixed(column) ? 'here' : anywhere
      return { table: range.table ?? '', given, isInserted, isLocked }
    })
  }

  #statement(node: Node | undefined, parent: Scope | undefined, parts: Parts, isMerged: boolean): Columns {
    const select = as('SelectStmt', node)
    if (select) return this.#select(select, parent, parts, isMerged)
    const update = as('UpdateStmt', node)
    if (update) return this.#change(update, update.fromClause, update.targetList, parent, parts)
    const removal = as('DeleteStmt', node)
    if (removal) return this.#change(removal, removal.usingClause, undefined, parent, parts)
    const insert = as('InsertStmt', node)
    return insert ? this.#insert(insert, parent, parts) : noColumns
  }

  #with(clause: WithClause | undefined, parent: Scope | undefined, parts: Parts): Parts {
    const known = new Map(parts)
    for (const node of clause?.ctes ?? []) {
      const { ctename = '', ctequery, aliascolnames } = as('CommonTableExpr', node) ?? ({} as CommonTableExpr)
      if (clause?.recursive) known.set(ctename, noColumns)
      known.set(ctename, renamed(this.#statement(ctequery, parent, known, false), stringsOf(aliascolnames)))
    }
    return known
  }

  #select(query: SelectStmt, parent: Scope | undefined, outer: Parts, isMerged: boolean): Columns {
    const parts = this.#with(query.withClause, parent, outer)
    if (query.larg && query.rarg) {
      const [left, right] = [query.larg, query.rarg].map(arm => this.#select(arm, parent, parts, false))
      return new Map([...(left ?? [])].map(([name, ids]) => [name, [...ids, ...(right?.get(name) ?? [])]]))
    }
    const scope: Scope = { ranges: [], parent, isMerged: isMerged && isSimple(query) }
    for (const item of query.fromClause ?? []) this.#from(item, scope, parts)
    this.#condition(query.whereClause, scope, parts)
    const { targetList, valuesLists, havingClause, groupClause, sortClause, limitCount } = query
    this.#expressions(
      [targetList, valuesLists, havingClause, groupClause, sortClause, limitCount],
      scope,
      parts,
    )
    this.#lock(query, scope)
    return this.#columns(targetList, scope)
  }

  #lock(query: SelectStmt, { ranges }: Scope): void {
    for (const node of query.lockingClause ?? []) {
      const names = as('LockingClause', node)?.lockedRels?.map(item => as('RangeVar', item)?.relname)
      for (const found of this.#found)
        if (ranges.includes(found.range) && (!names || names.includes(found.range.alias)))
          found.isLocked = true
    }
  }

  #range(alias: string, table: string | undefined, columns: Columns, isInserted = false): Range {
    const range = { id: this.#nextId++, alias, table, columns }
    for (const [name, ids] of columns) for (const id of ids) this.#anywhere.join(columnId(range, name), id)
    if (table !== undefined) this.#found.push({ range, isInserted, isLocked: false })
    return range
  }

  #table({ relname = '', schemaname, alias }: RangeVar, parts: Parts): Range {
    const part = schemaname === undefined ? parts.get(relname) : undefined
    return this.#range(alias?.aliasname ?? relname, part ? undefined : relname, part ?? noColumns)
  }

  #from(item: Node, scope: Scope, parts: Parts): Range[] {
    const add = (range: Range): Range[] => {
      scope.ranges.push(range)
      return [range]
    }
    const table = as('RangeVar', item)
    if (table) return add(this.#table(table, parts))
    const join = as('JoinExpr', item)
    if (join) {
      const left = join.larg ? this.#from(join.larg, scope, parts) : []
      const right = join.rarg ? this.#from(join.rarg, scope, parts) : []
      const nullable = nullableSide(join, left, right)
      for (const name of stringsOf(join.usingClause))
        for (const range of right)
          for (const other of left) this.#equal(columnId(range, name), columnId(other, name), true, nullable)
      this.#condition(join.quals, scope, parts, nullable)
      return [...left, ...right]
    }
    const subquery = as('RangeSubselect', item)
    if (subquery) {
      const select = as('SelectStmt', subquery.subquery)
      const columns = this.#statement(subquery.subquery, scope, parts, true)
      const range = this.#range(
        subquery.alias?.aliasname ?? '',
        undefined,
        renamed(columns, stringsOf(subquery.alias?.colnames)),
      )
      if (select && isSimple(select))
        for (const [name, ids] of range.columns)
          for (const id of ids) this.#here.join(columnId(range, name), id)
      return add(range)
    }
    const call = as('RangeFunction', item)
    this.#expressions(call?.functions, scope, parts)
    const names = stringsOf(call?.alias?.colnames)
    return add(this.#range(call?.alias?.aliasname ?? '', undefined, new Map(names.map(name => [name, []]))))
  }

  /** `nullable`: the side of an outer join whose columns its condition gives; undefined for all columns. */
  #equal(one: ColumnId, other: ColumnId, isHere = true, nullable?: NullableSide): void {
    for (const equalities of isHere ? [this.#anywhere, this.#here] : [this.#anywhere]) {
      if (!nullable) equalities.join(one, other)
      else if (nullable(one)) equalities.follow(other, one)
      if (nullable?.(other)) equalities.follow(one, other)
    }
  }

  #condition(condition: Node | undefined, scope: Scope, parts: Parts, nullable?: NullableSide): void {
    for (const node of conjuncts(condition)) {
      const comparison = as('A_Expr', node)
      if (comparison?.kind === 'AEXPR_OP' && stringsOf(comparison.name)[0] === '=') {
        const [left, right] = [comparison.lexpr, comparison.rexpr].map(
          side => as('RowExpr', side)?.args ?? [side],
        )
        for (const [index, side] of (left ?? []).entries())
          this.#compare(side, right?.[index], scope, nullable)
      }
      this.#expressions(node, scope, parts, true)
    }
  }

  #compare(left: Node | undefined, right: Node | undefined, scope: Scope, nullable?: NullableSide): void {
    const [one, other] = [left, right].map(side => resolveColumn(scope, as('ColumnRef', side)))
    if (one && other) this.#equal(one.id, other.id, one.isOwn && other.isOwn, nullable)
    const column = one ?? other
    if (column && isConstant(one ? right : left) && (nullable?.(column.id) ?? true)) {
      this.#anywhere.fix(column.id)
      if (column.isOwn) this.#here.fix(column.id)
    }
  }

  /** Looks for subqueries. `isCondition`: a whole condition, whose EXISTS and IN PostgreSQL plans as joins. */
  #expressions(value: unknown, scope: Scope, parts: Parts, isCondition = false): void {
    const direct = isCondition ? sublinkOf(value as Node) : undefined
    visitNodes(value, (kind, content) => {
      if (kind !== 'SubLink') return true
      const { subselect, testexpr, subLinkType } = content as NodeOf<'SubLink'>
      const isJoin = content === direct && subLinkType !== 'EXPR_SUBLINK'
      const columns = this.#statement(subselect, scope, parts, isJoin)
      if (subLinkType === 'ANY_SUBLINK') {
        const tested = as('RowExpr', testexpr)?.args ?? (testexpr ? [testexpr] : [])
        const isSimpleList = isSimple(as('SelectStmt', subselect) ?? {})
        const results = [...columns.values()]
        for (const [index, side] of tested.entries()) {
          const column = resolveColumn(scope, as('ColumnRef', side))
          for (const id of results[index] ?? [])
            if (column) this.#equal(column.id, id, isJoin && isSimpleList && column.isOwn)
        }
      }
      this.#expressions(testexpr, scope, parts)
      return false
    })
  }

  #columns(targets: readonly Node[] | undefined, scope: Scope): Columns {
    const columns = new Map<string, ColumnId[]>()
    for (const [index, node] of (targets ?? []).entries()) {
      const target = as('ResTarget', node)
      const value = as('TypeCast', target?.val)?.arg ?? target?.val
      const fields = stringsOf(as('ColumnRef', value)?.fields)
      if (fields.at(-1) === '*') {
        for (const range of scope.ranges.filter(({ alias }) => fields.length === 1 || alias === fields[0]))
          for (const name of ['workspace_id', ...range.columns.keys()])
            columns.set(name, [columnId(range, name)])
        continue
      }
      const name = target?.name ?? fields.at(-1) ?? `?${index}`
      const column = resolveColumn(scope, as('ColumnRef', value))
      if (column) columns.set(name, [column.id])
      else if (isConstant(value)) columns.set(name, [this.#constant()])
      else columns.set(name, [])
    }
    return columns
  }

  #constant(): ColumnId {
    const id = `constant ${this.#nextId++}`
    this.#anywhere.fix(id)
    this.#here.fix(id)
    return id
  }

  /** UPDATE and DELETE. */
  #change(
    { relation = {}, whereClause, returningClause, withClause }: NodeOf<'UpdateStmt'> | NodeOf<'DeleteStmt'>,
    others: readonly Node[] | undefined,
    values: readonly Node[] | undefined,
    parent: Scope | undefined,
    outer: Parts,
  ): Columns {
    const parts = this.#with(withClause, parent, outer)
    const scope: Scope = { ranges: [this.#table(relation, new Map())], parent, isMerged: false }
    for (const item of others ?? []) this.#from(item, scope, parts)
    this.#condition(whereClause, scope, parts)
    this.#expressions(values, scope, parts)
    return this.#returned(returningClause, scope, parts)
  }

  #returned(clause: ReturningClause | undefined, scope: Scope, parts: Parts): Columns {
    this.#expressions(clause?.exprs, scope, parts)
    return this.#columns(clause?.exprs, scope)
  }

  #insert(insert: NodeOf<'InsertStmt'>, parent: Scope | undefined, outer: Parts): Columns {
    const parts = this.#with(insert.withClause, parent, outer)
    const { relname = '', alias } = insert.relation ?? {}
    const range = this.#range(alias?.aliasname ?? relname, relname, noColumns, true)
    const names = (insert.cols ?? []).map(column => as('ResTarget', column)?.name ?? '')
    const index = names.indexOf('workspace_id')
    const select = as('SelectStmt', insert.selectStmt)
    const columns = this.#statement(insert.selectStmt, parent, parts, false)
    const target = columnId(range, 'workspace_id')
    for (const list of select?.valuesLists ?? [])
      if (isConstant(as('List', list)?.items?.[index])) this.#equal(target, this.#constant())
    // A row goes to the shard of its value, wherever the value comes from.
    const given = insert.cols ? [...columns.values()][index] : columns.get('workspace_id')
    for (const id of given ?? []) {
      this.#equal(target, id)
      if (this.#anywhere.isFixed(id)) this.#here.fix(target)
    }
    const scope: Scope = { ranges: [range], parent, isMerged: false }
    const { targetList, whereClause } = insert.onConflictClause ?? {}
    this.#expressions([targetList, whereClause], { ...scope, ranges: [range] }, parts)
    return this.#returned(insert.returningClause, scope, parts)
  }
}

type NullableSide = (column: ColumnId) => boolean

/** The condition of an outer join leaves out no row of the other side. Undefined for inner joins. */
function nullableSide(
  { jointype }: NodeOf<'JoinExpr'>,
  left: readonly Range[],
  right: readonly Range[],
): NullableSide | undefined {
  if (jointype === 'JOIN_INNER') return undefined
  const sides: Readonly<Record<string, readonly Range[]>> = { JOIN_LEFT: right, JOIN_RIGHT: left }
  const ids = new Set((sides[jointype ?? ''] ?? []).map(({ id }) => String(id)))
  return column => ids.has(column.split('.')[0] ?? '')
}

/** `in (…)`, `exists (…)` or `not exists (…)` as a whole condition. */
function sublinkOf(condition: Node): NodeOf<'SubLink'> | undefined {
  const negation = as('BoolExpr', condition)
  return as('SubLink', negation?.boolop === 'NOT_EXPR' ? negation.args?.[0] : condition)
}

/** `as x (a, b)` renames columns by their place. */
function renamed(columns: Columns, names: readonly string[]): Columns {
  if (names.length === 0) return columns
  return new Map([...columns].map(([name, ids], index) => [names[index] ?? name, ids]))
}
