// Reading the syntax tree that libpg-query makes of a statement.
import type { Node } from 'libpg-query'

type Keys<T> = T extends unknown ? keyof T : never
export type NodeKind = Keys<Node>
export type NodeOf<Kind extends NodeKind> = Extract<Node, Record<Kind, unknown>>[Kind]

/** The content of a node of this kind; undefined for all others. */
export function as<Kind extends NodeKind>(kind: Kind, node: Node | undefined): NodeOf<Kind> | undefined {
  return node && kind in node ? (node as unknown as Record<Kind, NodeOf<Kind>>)[kind] : undefined
}

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Calls `visit` for each node below and including `value`, with its kind. `visit` answers whether to look further
 * inside.
 */
export function visitNodes(value: unknown, visit: (kind: string, content: object) => boolean): void {
  if (Array.isArray(value)) {
    for (const item of value) visitNodes(item, visit)
    return
  }
  if (!isObject(value)) return
  for (const key in value) {
    const content: unknown = value[key as keyof typeof value]
    if (!isObject(content)) continue
    // The keys of node kinds begin with a capital letter, those of fields do not.
    const isKind = key.charCodeAt(0) < 91
    if (!isKind || visit(key, content)) visitNodes(content, visit)
  }
}

/** All nodes of a kind below and including `value`; those inside of found ones too. */
export function findNodes<Kind extends NodeKind>(kind: Kind, value: unknown): NodeOf<Kind>[] {
  const found: NodeOf<Kind>[] = []
  visitNodes(value, (name, content) => {
    if (name === kind) found.push(content as NodeOf<Kind>)
    return true
  })
  return found
}

/** The queries under UNION, however many; a query without UNION is its own and only arm. */
export const armsOf = (query: NodeOf<'SelectStmt'>): readonly NodeOf<'SelectStmt'>[] =>
  query.larg && query.rarg ? [...armsOf(query.larg), ...armsOf(query.rarg)] : [query]

export const stringsOf = (nodes: readonly Node[] | undefined): readonly string[] =>
  (nodes ?? []).map(node => as('String', node)?.sval ?? '*')

/** The name of a function without its schema, in lower case. */
export const functionName = (call: NodeOf<'FuncCall'>): string => stringsOf(call.funcname).at(-1) ?? ''

/** The parts of a condition that are joined by AND. */
export function conjuncts(condition: Node | undefined): readonly Node[] {
  const bool = as('BoolExpr', condition)
  if (bool?.boolop === 'AND_EXPR') return (bool.args ?? []).flatMap(conjuncts)
  return condition ? [condition] : []
}
