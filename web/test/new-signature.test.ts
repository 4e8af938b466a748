import { validateContent } from '@signoff/render'
import type { Content } from '@signoff/sdk'
import { describe, expect, it } from 'vitest'
import { htmlOfFile, htmlOfText } from '../src/pages/signatures/create/signature-html.ts'
import { traitsOf } from '../src/pages/signatures/create/template-traits.ts'
import { withBannerPlace } from '../src/pages/signatures/create/with-banner-place.ts'

const template = {
  type: 'stack',
  children: [
    { type: 'image', alt: '', smartFieldUuid: '01a1e0a4-15b9-71f7-98af-f25f4b8294b4' },
    { type: 'text', tokens: [{ value: 'One' }] },
  ],
} as unknown as Content

describe('a new signature', () => {
  it('gets a place for banners at its end, with space above', () => {
    const content = withBannerPlace(template)
    expect(validateContent(content as never, { field: 'content' }).problems).toEqual([])
    expect((content as { children: unknown[] }).children.at(-1)).toMatchObject({
      type: 'marketing',
      blockStyle: { marginTop: 16 },
    })
    expect(JSON.stringify(template)).not.toContain('marketing')
  })

  it('is found by what its template has', () => {
    expect([...traitsOf({ content: template })]).toEqual(['photo', 'compact'])
  })

  it('begins with the HTML of a file in its own character set, or with plain lines', async () => {
    const file = (name: string, bytes: number[]) => new File([new Uint8Array(bytes)], name)
    const bytes = [...Buffer.from('<meta charset=windows-1252><p>Z'), 0xfc, ...Buffer.from('rich</p>')]
    expect(await htmlOfFile(file('a.htm', bytes))).toContain('Zürich')
    expect(await htmlOfFile(file('a.png', bytes))).toBeUndefined()
    expect(htmlOfText('Ada & Co\nFounder')).toBe('Ada &amp; Co<br>Founder')
  })
})
