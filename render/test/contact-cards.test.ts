import { describe, expect, it, vi } from 'vitest'
import { type Content, compile, linkSources, type QrCodeRequest } from '../src/index.ts'
import { cardHooks, surroundings } from './support/surroundings.ts'

const content: Content = {
  type: 'stack',
  children: [
    { type: 'text', id: 'text', tokens: [{ id: 'token', value: 'Save', href: { vcard: true } }] },
    { type: 'button', id: 'button', tokens: [{ id: 'label', value: 'Save' }], href: { vcard: true } },
    { type: 'qrCode', id: 'card', content: 'vcard' },
    {
      type: 'qrCode',
      id: 'site',
      content: 'href',
      href: { text: 'www.example.com/a?b=1&c=2' },
      size: 50,
      color: 'red',
    },
  ],
}

describe('the contact card', () => {
  it('is asked for once per rendering, and not at all without a link to it', () => {
    const vcard = vi.fn(() => 'https://sign.example/v/x.vcf')
    compile(content, surroundings()).render({}, { ...cardHooks, vcard })
    expect(vcard).toHaveBeenCalledTimes(1)
    compile({ type: 'stack', children: [] }, surroundings()).render({}, { vcard })
    expect(vcard).toHaveBeenCalledTimes(1)
  })

  it('is linked as it is, without counting clicks', () => {
    const link = vi.fn(() => 'https://sign.example/c/1')
    const { html, text, anchors } = compile(content, surroundings()).render({}, { ...cardHooks, link })
    expect(html.match(/href="https:\/\/sign\.example\/v\/token\.vcf"/g)).toHaveLength(3)
    expect(anchors.map(({ id }) => id)).toEqual(['site'])
    expect(link).toHaveBeenCalledTimes(1)
    expect(linkSources(content).map(({ id }) => id)).toEqual(['site'])
    expect(text.split('\n')).toEqual([
      'Save (https://sign.example/v/token.vcf)',
      'Save: https://sign.example/v/token.vcf',
      'Contact card: https://sign.example/v/token.vcf',
      'https://www.example.com/a?b=1&c=2',
    ])
  })

  it('is nothing without the hook, or when the hook has none: words stay, buttons and codes go', () => {
    for (const hooks of [{}, { vcard: () => null, qrUrl: () => null }]) {
      const { html, text } = compile(content, surroundings()).render({}, hooks)
      expect(text).toBe('Save')
      expect(html).not.toMatch(/<a|<img/)
    }
  })
})

describe('a QR code', () => {
  it('is asked for with the address itself, not with the one that counts clicks', () => {
    const asked: QrCodeRequest[] = []
    const { html } = compile(content, surroundings()).render(
      {},
      {
        ...cardHooks,
        link: () => 'https://sign.example/c/1',
        qrUrl: code => {
          asked.push(code)
          return 'https://sign.example/qr.png'
        },
      },
    )
    expect(asked).toEqual([
      { content: 'vcard', size: 96, color: '#000000' },
      { content: 'href', url: 'https://www.example.com/a?b=1&c=2', size: 50, color: '#ff0000' },
    ])
    expect(html).toContain('alt="QR code: contact card"')
    expect(html).toContain('alt="QR code: example.com/a?b=1&amp;c=2"')
  })
})

describe('a picture of a person', () => {
  const image = { type: 'image', smartFieldUuid: 'profile_picture', alt: 'Portrait', width: 80 } as const
  const render = (value: string, block: object = {}) => {
    const asked: unknown[] = []
    const personPicture = (picture: string, box: object) => {
      asked.push(box)
      return picture === 'mine' ? { url: 'https://sign.example/mine.png', width: 80, height: 60 } : null
    }
    const tree: Content = { type: 'stack', children: [{ ...image, ...block }] }
    const { html } = compile(tree, { ...surroundings(), personPicture }).render({ profile_picture: value })
    return { html, asked }
  }

  it('is drawn by the service for its box, with the size that the service gives', () => {
    const crop = { x: 0, y: 0, width: 0.5, height: 1 }
    const { html, asked } = render('mine', { shape: 'circle', halo: true, crop })
    expect(asked).toEqual([{ shape: 'circle', halo: true, crop, width: 80 }])
    expect(html).toContain('src="https://sign.example/mine.png" width="80" height="60"')
    expect(html).not.toContain('border-radius')
  })

  it('that the service does not know is an https address, or nothing', () => {
    expect(render('https://cdn.example/a.png').html).toContain('src="https://cdn.example/a.png"')
    expect(render('other').html).toBe('')
  })
})
