// Whether tokens look alike: the controls of style and link need no new drawing while a person types letters.
import type { Token } from '@signoff/render'

const lookOf = (tokens: readonly Token[]): string =>
  JSON.stringify(tokens.map(({ textStyle, href }) => [textStyle, href]))

export const haveSameLook = (first: readonly Token[], second: readonly Token[]): boolean =>
  first === second || lookOf(first) === lookOf(second)

interface LookProps {
  readonly tokens: readonly Token[]
}

/** For `memo`: all properties are the same, and the tokens look alike. */
export function haveSameLookProps<Props extends LookProps>(before: Props, after: Props): boolean {
  const keys = Object.keys(after) as (keyof Props)[]
  return (
    keys.every(key => key === 'tokens' || before[key] === after[key]) &&
    haveSameLook(before.tokens, after.tokens)
  )
}
