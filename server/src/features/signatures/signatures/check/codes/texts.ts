import { type CheckRule, findingFor, isBlank } from '../problems.ts'
import type { CheckedBlock, CheckedHref, CheckedToken } from '../tree.ts'

const minFontSize = 9

export const showsText = ({ value, smartFieldUuid, fallback }: CheckedToken): boolean =>
  smartFieldUuid !== undefined || !isBlank(value) || !isBlank(fallback)

export const textTooSmall: CheckRule = ({ blocks }) => {
  const sizesOf = ({ tokens = [] }: CheckedBlock): readonly number[] =>
    tokens
      .filter(showsText)
      .map(token => token.textStyle?.fontSize ?? minFontSize)
      .filter(size => size < minFontSize)
  const small = blocks.filter(({ block }) => sizesOf(block).length > 0)
  const smallest = Math.min(...small.flatMap(({ block }) => sizesOf(block)))
  const message = `Text of ${smallest} px is too small to read; use at least ${minFontSize} px.`
  return findingFor({ code: 'text_too_small', message }, small)
}

const placeholder = /\{\{[^{}]{0,100}\}\}/

const textsInLink = ({ text, queryParams = [] }: CheckedHref): readonly (string | undefined)[] => [
  text,
  ...queryParams.flatMap(({ values = [] }) => values.map(value => value.text)),
]

const textsIn = ({ alt, href, tokens = [] }: CheckedBlock): readonly (string | undefined)[] => [
  alt,
  ...(href ? textsInLink(href) : []),
  ...tokens.flatMap(token => [
    token.value,
    token.fallback,
    token.prefix,
    token.suffix,
    ...(token.href ? textsInLink(token.href) : []),
  ]),
]

const firstPlaceholder = (block: CheckedBlock): string | undefined =>
  textsIn(block)
    .map(text => placeholder.exec(text ?? '')?.[0])
    .find(placeholder => placeholder !== undefined)

export const literalPlaceholder: CheckRule = ({ blocks }) => {
  const placeholders = blocks.filter(({ block }) => firstPlaceholder(block) !== undefined)
  const [first] = placeholders
  const text = first ? firstPlaceholder(first.block) : ''
  const message = `Readers will see “${text}” as it stands: use a smart field token instead of braces.`
  return findingFor({ code: 'literal_placeholder', message }, placeholders)
}
