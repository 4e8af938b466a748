// Content that is rendered and imported again keeps what can be seen.
// @module-tag random
import { compile, safeUrl, validateContent } from '@signoff/render'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertHtml } from '#features/content/content-import/convert.ts'
import type { Draft } from '#features/content/content-import/layout/draft.ts'
import { readable } from '../../render/test/support/parse.ts'
import { surroundings, withIds } from '../../render/test/support/surroundings.ts'
import { content, person } from '../../render/test/support/trees.ts'
import { runs } from './support/runs.ts'

const workspace = surroundings({ company: 'Fallback & Sons' })

/** Blanks and invisible characters do not count: HTML collapses and ignores them. */
const letters = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, '')

const textOf = (html: string): string => readable(html.replace(/<[^>]*>/g, '').replaceAll('&#8202;', ' '))

/** The targets of links around text, or around a picture that can be seen. */
function linksOf(html: string): string[] {
  const links = html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)
  return [...links].flatMap(([, href = '', inner = '']) => {
    const [, width = '9', height = '9'] = /<img[^>]* width="(\d+)" height="(\d+)"/.exec(inner) ?? []
    const isSeen = letters(textOf(inner)) !== '' || Math.max(Number(width), Number(height)) > 2
    return isSeen ? [readable(href)] : []
  })
}

const tokensIn = (draft: Draft): string =>
  (draft.tokens ?? []).map(token => token.value ?? '').join('') +
  (draft.children ?? []).map(tokensIn).join('')

const targetsIn = (draft: Draft): string[] => [
  ...[draft.href?.text, ...(draft.tokens ?? []).map(token => token.href?.text)].filter(
    href => href !== undefined,
  ),
  ...(draft.children ?? []).flatMap(targetsIn),
]

/** With addresses instead of the numbers of pictures. */
function withPictures(draft: Draft): Draft {
  const { picture, children, ...rest } = draft
  return {
    ...rest,
    ...(picture !== undefined && { src: 'https://cdn.example/a.png' }),
    ...(children && { children: children.map(withPictures) }),
  }
}

describe('content that is rendered and imported again', () => {
  it('is valid, and has every text and every link', async () => {
    await fc.assert(
      fc.asyncProperty(content, person, async (tree, somePerson) => {
        const { html } = compile(withIds(tree), workspace).render(somePerson, {})
        const { root } = await convertHtml(html)
        expect(validateContent(withPictures(root), { field: 'content' }).problems).toEqual([])
        expect(letters(tokensIn(root))).toBe(letters(textOf(html)))
        const targets = new Set(targetsIn(root).map(safeUrl))
        expect(linksOf(html).filter(href => !targets.has(safeUrl(href)))).toEqual([])
      }),
      { numRuns: runs(400) },
    )
  })
})
