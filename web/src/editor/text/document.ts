// The words of a block as a ProseMirror document, and back. Each run of letters carries its token as a mark; a smart
// field is one character that cannot be split. Converting a list of tokens there and back changes nothing.
import type { Token } from '@signoff/render'
import { type Mark, type Node, Schema } from 'prosemirror-model'
import { newId } from '#records/content/ids.ts'

const tokenAttribute = { token: {} }

/** The schema of the document. The node views of text-view.ts draw it; copied text is plain text. */
export const textSchema = new Schema({
  nodes: {
    // White space is kept: a line break in a value is a line break in the mail.
    doc: { content: 'inline*', whitespace: 'pre', code: true },
    text: { group: 'inline' },
    field: {
      group: 'inline',
      inline: true,
      atom: true,
      marks: '',
      attrs: tokenAttribute,
      toDOM: () => ['span', 0],
      leafText: ({ attrs }) => attrs.token.value ?? '',
    },
    /** A token without words. It is kept, because its id may be known to the numbers. */
    blank: {
      group: 'inline',
      inline: true,
      atom: true,
      marks: '',
      attrs: tokenAttribute,
      toDOM: () => ['span'],
    },
  },
  marks: { run: { attrs: tokenAttribute, inclusive: true, toDOM: () => ['span', 0] } },
})

const { nodes, marks } = textSchema
export const runMark = marks.run
export const fieldNode = nodes.field

const nodeOf = (token: Token): Node => {
  if (token.smartFieldUuid !== undefined) return nodes.field.create({ token })
  return token.value
    ? textSchema.text(token.value, [runMark.create({ token })])
    : nodes.blank.create({ token })
}

export const documentOf = (tokens: readonly Token[]): Node => nodes.doc.create(null, tokens.map(nodeOf))

const markOf = (node: Node): Mark | undefined => node.marks.find(({ type }) => type === runMark)

/** The token of a node; of letters without one (typed before the first token), a new one in the style of `like`. */
export function tokenOf(node: Node, like: Token | undefined): Token {
  const token = (node.isText ? markOf(node)?.attrs.token : node.attrs.token) as Token | undefined
  return token ?? { ...(like?.textStyle && { textStyle: like.textStyle }) }
}

/** Letters of a token keep its id; a token that was split keeps it on its first part. */
export function tokensOfDocument(document: Node, before: readonly Token[]): readonly Token[] {
  const used = new Set<string>()
  const tokens: Token[] = []
  document.forEach(node => {
    const token = tokenOf(node, before[0])
    const value = node.isText ? (node.text ?? '') : token.value
    const isNew = token.id === undefined || used.has(token.id)
    const id = isNew ? newId() : (token.id as string)
    used.add(id)
    const isSame = !isNew && value === token.value
    tokens.push(isSame ? token : { ...token, id, ...(value !== undefined && { value }) })
  })
  const [first] = before
  // The style stays for the letters that are typed next.
  return tokens.length === 0 && first ? [withoutWords(first)] : tokens
}

function withoutWords({ smartFieldUuid, type, fallback, prefix, suffix, ...token }: Token): Token {
  return { ...token, value: '' }
}
