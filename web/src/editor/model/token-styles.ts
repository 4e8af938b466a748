// Styles and links of words, without ProseMirror: the inspector changes them also while no text is edited.
import type { Href, TextStyle, Token } from '@signoff/render'

export type TokenChange = (token: Token) => Token

export const styleToggles = [
  ['bold', 'fontWeight', 'bold'],
  ['italic', 'fontStyle', 'italic'],
  ['underline', 'textDecoration', 'underline'],
] as const

/** The value that all words share. */
export function sharedStyle<Key extends keyof TextStyle>(
  tokens: readonly Token[],
  key: Key,
): TextStyle[Key] | undefined {
  const [first, ...others] = tokens.map(({ textStyle }) => textStyle?.[key])
  return others.every(value => value === first) ? first : undefined
}

/** The link that all words share. */
export function sharedHref(tokens: readonly Token[]): Href | undefined {
  const [first, ...others] = tokens.map(({ href }) => href)
  return others.every(href => JSON.stringify(href) === JSON.stringify(first)) ? first : undefined
}

const without = <T extends object>(value: T, key: keyof T): T => {
  const { [key]: _, ...rest } = value
  return rest as T
}

/** Undefined removes a part of the style. A style without parts is removed. */
export const withStyle =
  (
    patch: Readonly<Record<keyof TextStyle, unknown>> | Partial<Record<keyof TextStyle, unknown>>,
  ): TokenChange =>
  token => {
    const style = Object.fromEntries(
      Object.entries({ ...token.textStyle, ...patch }).filter(([, value]) => value !== undefined),
    )
    return Object.keys(style).length === 0
      ? without(token, 'textStyle')
      : { ...token, textStyle: style as TextStyle }
  }

export const withHref =
  (href: Href | undefined): TokenChange =>
  token =>
    href ? { ...token, href } : without(token, 'href')

// Whether tokens look alike: the controls of style and link need no new drawing while a person types letters.

const styleAndLinkOf = (tokens: readonly Token[]): string =>
  JSON.stringify(tokens.map(({ textStyle, href }) => [textStyle, href]))

const haveSameStyle = (first: readonly Token[], second: readonly Token[]): boolean =>
  first === second || styleAndLinkOf(first) === styleAndLinkOf(second)

interface TokenProps {
  readonly tokens: readonly Token[]
}

/** For `memo`: all properties are the same, and the tokens look alike. */
export function haveSameStyleProps<Props extends TokenProps>(before: Props, after: Props): boolean {
  const keys = Object.keys(after) as (keyof Props)[]
  return (
    keys.every(key => key === 'tokens' || before[key] === after[key]) &&
    haveSameStyle(before.tokens, after.tokens)
  )
}

/** The height of a line that says nothing about it, in pixels. */
export const standardLineHeight = (fontSize = 14): number => Math.round(fontSize * 1.4)
