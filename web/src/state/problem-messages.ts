// Problems of single fields in the language of the dashboard. The API writes English and names properties of the wire
// format, such as `file_base64`: its words are never shown, they only tell which sentence fits.

export interface FieldProblem {
  readonly field: string
  readonly code: string
  readonly message: string
}

interface ProblemMessage {
  /** The name in `shell.fieldErrors`. */
  readonly key: string
  readonly values?: Readonly<Record<string, number>>
}

/** Sentences of the API that say more than their code. */
const sentences: readonly (readonly [pattern: RegExp, key: string])[] = [
  [/is not a PNG/, 'noImage'],
  [/is not a table/, 'noTable'],
  [/public internet/, 'privateTarget'],
  [/valid phone/, 'invalidPhone'],
  [/valid email|not an email address/, 'invalidEmail'],
  [/valid url|allowed link|public https or http|https address/, 'invalidUrl'],
  [/must be a colour/, 'invalidColor'],
  [/must be a host name/, 'invalidDomain'],
  [/must be in the future/, 'past'],
  [/must be after|is before/, 'wrongOrder'],
  [/is larger than|too large/, 'tooLarge'],
  [/^html is nested/, 'htmlTooDeep'],
  [/^html (has more than|must NOT have more|takes too long)/, 'htmlTooLarge'],
]

/** Kinds of fields by the last name of the path. */
const kinds: readonly (readonly [name: RegExp, kind: string])[] = [
  [/^(file_base64|file)$/, 'File'],
  [/e-?mail|^(address|to|reply_to)$/i, 'Email'],
  [/(^|_)(url|href|website|link)$/, 'Url'],
  [/phone$/, 'Phone'],
]

/** `smart_fields[2].value` → `value`; `to[0]` → `to` */
const lastName = (field: string): string =>
  field
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1) ?? ''

function limitIn({ code, message }: FieldProblem): ProblemMessage | undefined {
  const length = /(more|fewer) than (\d+) characters/.exec(message)
  if (length)
    return { key: length[1] === 'more' ? 'maxLength' : 'minLength', values: { count: Number(length[2]) } }
  const range = /must be ([<>])(=?) (-?\d+)/.exec(message)
  if (code !== 'out_of_range' || !range) return undefined
  const [, relation, isIncluded, limit] = range
  const step = isIncluded ? 0 : 1
  return relation === '>'
    ? { key: 'min', values: { count: Number(limit) + step } }
    : { key: 'max', values: { count: Number(limit) - step } }
}

/** The texts that fit, the most exact first. */
export function problemMessages(problem: FieldProblem): readonly ProblemMessage[] {
  const { field, code, message } = problem
  const kind = kinds.find(([name]) => name.test(lastName(field)))?.[1]
  const sentence = sentences.find(([pattern]) => pattern.test(message))?.[1]
  const limit = limitIn(problem)
  return [
    ...(sentence === undefined ? [] : [{ key: sentence }]),
    ...(limit ? [limit] : []),
    ...(kind === undefined ? [] : [{ key: `${code}${kind}` }]),
    { key: code },
    { key: 'invalid' },
  ]
}
