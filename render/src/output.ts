// HTML being written: constants that are known from compiling, and values between them. Between two values come the same few
// constants time and again, so they are joined once and remembered; what is left to join for a person is a fraction.

/** Constants joined so far, and those that have come next. */
interface Glue {
  readonly text: string
  readonly next: Map<string, Glue>
}

export interface Output {
  html: string
  /** Not yet in the HTML. */
  glue: Glue
  readonly memory: Memory
}

/** What was joined for earlier people; of one template. */
export interface Memory {
  readonly start: Glue
  size: number
}

const newGlue = (text: string): Glue => ({ text, next: new Map() })
export const newMemory = (): Memory => ({ start: newGlue(''), size: 0 })
export const newOutput = (memory: Memory): Output => ({ html: '', glue: memory.start, memory })

/** Characters to remember. Values that are missing here and there make ever new sequences; beyond it is begun anew. */
const enough = 500_000
/** Longer than this is not worth joining with more. */
const long = 2_000

export function addConstant(out: Output, text: string): void {
  if (text.length > long || out.glue.text.length > long) addValue(out, '')
  if (text.length > long) out.html += text
  else out.glue = out.glue.next.get(text) ?? remember(out, text)
}

/** V8 keeps a joined string as its parts, and goes through them whenever it is used, until somebody reads a character. */
function laidOut(text: string): string {
  text.charCodeAt(0)
  return text
}

function remember({ glue, memory }: Output, text: string): Glue {
  if (memory.size >= enough) {
    memory.start.next.clear()
    memory.size = 0
  }
  memory.size += glue.text.length + text.length
  const joined = newGlue(laidOut(glue.text + text))
  glue.next.set(text, joined)
  return joined
}

export function addValue(out: Output, text: string): void {
  out.html += out.glue.text + text
  out.glue = out.memory.start
}

export const finished = ({ html, glue }: Output): string => html + glue.text
