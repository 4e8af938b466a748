import type { LeaveReason } from '../inspection.ts'
import type { MessagePart } from './scan.ts'

/** The parts that a reader shows as the text of the message, in order. Several when pictures stand between them. */
export interface MessageBodies {
  readonly html: readonly MessagePart[]
  readonly text: readonly MessagePart[]
}

const isBody = (part: MessagePart): boolean => part.disposition !== 'attachment' && part.filename === null

const nothing: MessageBodies = { html: [], text: [] }

/** The part of a multipart/related that the others belong to. */
function rootOf({ children, parameters }: MessagePart, idOf: (part: MessagePart) => string | null) {
  const start = parameters.get('start')?.value
  return (start !== undefined && children.find(child => idOf(child) === start)) || children[0]
}

/** Clients show one of the alternatives: each gets the signature. Two of one type are a contradiction. */
function alternativesOf(childBodies: readonly MessageBodies[]): MessageBodies | null {
  const html = childBodies.filter(child => child.html.length > 0)
  const text = childBodies.filter(child => child.html.length === 0 && child.text.length > 0)
  if (html.length > 1 || text.length > 1) return null
  return { html: html[0]?.html ?? [], text: text[0]?.text ?? html[0]?.text ?? [] }
}

/** With HTML somewhere, text parts that stand alone are footers that a server has added. */
function sequenceOf(childBodies: readonly MessageBodies[]): MessageBodies {
  const withHtml = childBodies.filter(child => child.html.length > 0)
  const bodies = withHtml.length > 0 ? withHtml : childBodies
  return { html: bodies.flatMap(child => child.html), text: bodies.flatMap(child => child.text) }
}

/** Finds the text of the message, or says why there is none that can be stamped. */
export function bodiesOf(
  part: MessagePart,
  idOf: (part: MessagePart) => string | null,
): MessageBodies | Extract<LeaveReason, 'ambiguous'> {
  if (part.type === 'text/html') return isBody(part) ? { html: [part], text: [] } : nothing
  if (part.type === 'text/plain') return isBody(part) ? { html: [], text: [part] } : nothing
  if (!part.type.startsWith('multipart/') || part.disposition === 'attachment') return nothing
  if (part.type === 'multipart/appledouble' || part.type === 'multipart/digest') return nothing
  if (part.type === 'multipart/related') {
    const root = rootOf(part, idOf)
    return root ? bodiesOf(root, idOf) : nothing
  }
  const childBodies: MessageBodies[] = []
  for (const child of part.children) {
    const bodies = bodiesOf(child, idOf)
    if (bodies === 'ambiguous') return bodies
    childBodies.push(bodies)
  }
  if (part.type !== 'multipart/alternative') return sequenceOf(childBodies)
  return alternativesOf(childBodies) ?? 'ambiguous'
}
