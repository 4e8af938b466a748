import { type Content, compile, fillIds, type Marks } from '@signoff/render'
import type { PictureRequest } from '@signoff/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { surroundings } from '../../render/test/support/surroundings.ts'
import { content, person } from '../../render/test/support/trees.ts'
import type { PlaceholderMessages } from '../src/editor/blocks/descriptor.ts'
import { bannerHook, type LoadedCampaign, shownCampaigns } from '../src/editor/rendering/banners.ts'
import { draw, withPlaceholders } from '../src/editor/rendering/draw.ts'
import { type FoundPicture, PictureCache, ShownPictures } from '../src/editor/rendering/picture-cache.ts'
import { personOf, pictureHooks, withPlaceholderPicture } from '../src/editor/rendering/picture-hooks.ts'
import { type AnyBlock, childrenOf, idOf } from '../src/records/content/block.ts'
import { newId } from '../src/records/content/ids.ts'

const icon = (size: number): PictureRequest => ({
  kind: 'icon',
  icon: { name: 'phone', size, color: '#000000', backgroundColor: null, shape: 'square' },
})
const settled = () => new Promise(resolve => setTimeout(resolve, 0))

/** A cache over a service whose answers the test releases. */
function gatedCache() {
  const calls: { owner: string | null; requests: readonly PictureRequest[] }[] = []
  const gates: { open: (pictures?: readonly (FoundPicture | null)[]) => void; fail: () => void }[] = []
  const cache = new PictureCache((owner, requests) => {
    calls.push({ owner, requests })
    return new Promise((resolve, reject) =>
      gates.push({
        open: pictures =>
          resolve(pictures ?? requests.map((_, index) => ({ url: `https://a.example/${index}` }))),
        fail: () => reject(new Error('offline')),
      }),
    )
  })
  return { cache, calls, gates }
}

describe('the cache of pictures', () => {
  it('fetches what one rendering needs together, one request at a time, at most 200 each', async () => {
    const { cache, calls, gates } = gatedCache()
    let notifications = 0
    cache.subscribe(() => notifications++)
    for (let size = 1; size <= 250; size++) expect(cache.find(null, icon(size))).toBeUndefined()
    cache.find('ada', { kind: 'contact_card' })
    cache.find(null, icon(1))
    await settled()
    expect(calls.map(({ requests }) => requests.length)).toEqual([200])
    gates[0]?.open()
    await settled()
    expect([notifications, cache.getVersion(), cache.isIncomplete]).toEqual([1, 1, true])
    expect(cache.find(null, icon(3))).toEqual({ url: 'https://a.example/2' })
    gates[1]?.open()
    await settled()
    gates[2]?.open([null])
    await settled()
    expect(calls.map(({ owner, requests }) => [owner, requests.length])).toEqual([
      [null, 200],
      [null, 50],
      ['ada', 1],
    ])
    expect([cache.find('ada', { kind: 'contact_card' }), cache.isIncomplete]).toEqual([null, false])
    await settled()
    expect(calls.length).toBe(3)
  })

  it('tries again on the next demand, a bounded number of times, and after the connection is back', async () => {
    const { cache, calls, gates } = gatedCache()
    let notifications = 0
    cache.subscribe(() => notifications++)
    for (let attempt = 0; attempt < 5; attempt++) {
      cache.find(null, icon(1))
      await settled()
      gates[attempt]?.fail()
      await settled()
    }
    expect([calls.length, notifications]).toEqual([3, 0])
    cache.forgetFailures()
    cache.find(null, icon(1))
    await settled()
    gates[3]?.open()
    await settled()
    expect(cache.find(null, icon(1))).toEqual({ url: 'https://a.example/0' })
  })

  it('shows the known picture while it asks for the one of a person that has changed', async () => {
    const { cache, calls, gates } = gatedCache()
    const card: PictureRequest = { kind: 'contact_card' }
    cache.find('ada', card)
    await settled()
    gates[0]?.open()
    await settled()
    cache.refresh('ada')
    expect(cache.find('ada', card)).toEqual({ url: 'https://a.example/0' })
    await settled()
    gates[1]?.open([{ url: 'https://a.example/new' }])
    await settled()
    expect([cache.find('ada', card), calls.length]).toEqual([{ url: 'https://a.example/new' }, 2])
  })
})

describe('a picture that changes its size', () => {
  it('keeps the former file until the new one is loaded', async () => {
    const { cache, gates } = gatedCache()
    const loads: (() => void)[] = []
    const pictures = new ShownPictures(cache, () => new Promise(done => loads.push(done)))
    expect(pictures.find(null, icon(1))).toBeUndefined()
    await settled()
    gates[0]?.open([{ url: 'small' }])
    await settled()
    expect(pictures.find(null, icon(1))).toEqual({ url: 'small' })
    expect(pictures.find(null, icon(2))).toEqual({ url: 'small', isFormer: true })
    await settled()
    gates[1]?.open([{ url: 'large' }])
    await settled()
    const before = cache.getVersion()
    expect(pictures.find(null, icon(2))).toEqual({ url: 'small', isFormer: true })
    loads[0]?.()
    await settled()
    expect(cache.getVersion()).toBe(before + 1)
    // Both sizes can be on the canvas at once.
    expect([pictures.find(null, icon(2)), pictures.find(null, icon(1))]).toEqual([
      { url: 'large' },
      { url: 'small' },
    ])
    expect(loads.length).toBe(1)
  })
})

describe('the hooks of the renderer', () => {
  it('keep the place of pictures that are not known yet', () => {
    const { cache } = gatedCache()
    const { surroundings: hooks, card } = pictureHooks(cache, 'ada')
    const box = { shape: 'square' } as const
    const { field } = personOf({ values: [{ smart_field_id: 'field', value: null, has_picture: true }] })
    expect(hooks.personPicture(field ?? '', { ...box, width: 64 })).toMatchObject({ width: 64, height: 64 })
    expect(hooks.personPicture('https://a.example/photo.png', box)).toBeNull()
    expect(hooks.assetUrl('logo', { ...box, width: 64, height: 32 })).toMatch(
      /^data:image\/svg\+xml,.*64.*32/,
    )
    expect(card.qrUrl({ content: 'vcard', size: 96, color: '#000000' })).toContain('96')
  })
})

describe('banners', () => {
  const text = (value: string): NonNullable<LoadedCampaign['content']> => ({
    type: 'stack',
    children: [{ type: 'text', tokens: [{ value }] }],
  })
  const weight = 1
  const loaded = new Map<string, LoadedCampaign>(
    [
      {
        id: 'a',
        content: null,
        variants: [
          { id: '1', name: 'One', content: text('one'), weight },
          { id: '2', name: 'Two', content: text('two'), weight },
        ],
      },
      { id: 'b', content: text('b'), variants: [] },
    ].map(campaign => [campaign.id, campaign]),
  )
  const running = [
    { campaign_id: 'a', variant_id: '2' },
    { campaign_id: 'b', variant_id: null },
  ]
  const bannerText = (choice: string, campaignUuid?: string, now = running) => {
    const tree: Content = {
      type: 'stack',
      children: [{ type: 'marketing', ...(campaignUuid && { campaignUuid }) }],
    }
    const workspace = surroundings()
    return compile(tree, workspace).render({}, { campaign: bannerHook(choice, now, loaded, workspace) }).text
  }

  it('are those that the person sees, or of the chosen campaign', () => {
    expect(bannerText('running')).toBe('two')
    expect(bannerText('running', 'B')).toBe('b')
    expect(bannerText('running', 'c')).toBe('')
    expect(bannerText('B')).toBe('b')
    expect(bannerText('b', 'a')).toBe('')
    expect(bannerText('a', undefined, [])).toBe('one')
    expect(bannerText('none')).toBe('')
    expect(shownCampaigns('running', running, [])).toEqual(['a'])
    expect(shownCampaigns('running', running, ['b', 'c'])).toEqual(['a', 'b'])
  })
})

describe('placeholders of the canvas', () => {
  const texts: PlaceholderMessages = {
    dropHere: 'Drop blocks here',
    emptyText: 'Text',
    banner: 'Campaign banner',
    fieldLabel: id => (id === 'unknown' ? undefined : id.replace('_', ' ')),
  }
  const mark = (id: string): Marks => [`<!--[${id}]-->`, `<!--[/${id}]-->`]
  const workspace = withPlaceholderPicture({ ...surroundings(), mark })
  const hooks = { vcard: () => 'https://a.example/v', qrUrl: () => 'https://a.example/q' }
  const canvas = (tree: Content, values = {}) =>
    draw({ tree, person: values, surroundings: workspace, hooks, placeholders: texts })

  /** Blocks that are not hidden, nor inside hidden blocks. Lines are left out where nothing stands beside them. */
  function* visibleIn(block: AnyBlock): Generator<AnyBlock> {
    for (const child of childrenOf(block)) {
      if (child.visible === false || child.type === 'divider') continue
      yield child
      yield* visibleIn(child)
    }
  }

  it('give every block a place, and change nothing where there are no holes', () => {
    fc.assert(
      fc.property(content, person, (generated, values) => {
        const tree = fillIds(generated, newId)
        fc.pre(tree.visible !== false)
        const { html } = canvas(tree, values)
        for (const block of visibleIn(tree)) expect(html, block.type).toContain(mark(idOf(block))[0])
        const plain = compile(tree, workspace).render(values, hooks).html
        const visible = [...visibleIn(tree)]
        if (visible.length > 0 && visible.every(block => plain.includes(mark(idOf(block))[0])))
          expect(withPlaceholders(tree, id => plain.includes(mark(id)[0]), texts)).toBe(tree)
      }),
      { numRuns: 100 },
    )
  })

  it('show labels of fields, a line in empty stacks and the place of a banner', () => {
    const tree = fillIds(
      {
        type: 'stack',
        children: [
          { type: 'text', tokens: [{ value: 'Tel. ' }, { smartFieldUuid: 'work_phone' }] },
          { type: 'text', tokens: [{ smartFieldUuid: 'first_name' }, { smartFieldUuid: 'last_name' }] },
          { type: 'text', tokens: [{ value: '' }] },
          { type: 'stack', children: [] },
          { type: 'marketing' },
        ],
      },
      newId,
    )
    const { text, html, length } = canvas(tree, { first_name: 'Ada' })
    expect(text.split('\n')).toEqual([
      'Tel. {work phone}',
      'Ada',
      'Text',
      'Drop blocks here',
      'Campaign banner',
    ])
    expect(length).toBe(html.replaceAll(/<!--.*?-->/g, '').length)
    expect(canvas({ type: 'stack' }).text).toBe('Drop blocks here')
  })
})
