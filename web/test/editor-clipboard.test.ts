import type { Content } from '@signoff/render'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { copySelected, pasteCopied } from '../src/editor/actions/use-clipboard.ts'
import { copiedText } from '../src/editor/model/copied-blocks.ts'
import { EditorStore } from '../src/editor/model/store.ts'
import type { AnyBlock } from '../src/records/content/block.ts'

const text = (id: string) => ({ type: 'text' as const, id, tokens: [{ id: `${id} words`, value: id }] })
const tree: Content = { type: 'stack', id: 'root', children: [text('a'), text('b')] }

const refuse = () => Promise.reject(new DOMException('Read permission denied.', 'NotAllowedError'))
/** The clipboard of a browser that lets the page read it, or does not. */
function givenClipboard(readText: (() => Promise<string>) | undefined): void {
  const clipboard = { readText, writeText: () => Promise.resolve() }
  vi.stubGlobal('navigator', readText ? { clipboard } : {})
}
afterEach(() => void vi.unstubAllGlobals())

function selected(): EditorStore {
  const store = new EditorStore('signature', tree)
  store.select(['a'])
  return store
}
/** The workspace has a picture, a field and a campaign. */
const workspaceIds = new Set([
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '00000000-0000-4000-8000-000000000003',
])
const here = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
const elsewhere = '00000000-0000-4000-8000-000000000009'
const pasteAll = (store: EditorStore) => pasteCopied(store, async () => (_, id) => workspaceIds.has(id))
const paste = async (store: EditorStore) => (await pasteAll(store)).what
const count = (store: EditorStore): number => store.getState().tree.children?.length ?? 0

describe('the menu of a block', () => {
  it('pastes what the clipboard holds, and nothing that was copied before', async () => {
    const store = selected()
    givenClipboard(async () => 'words of another program')
    expect(copySelected(store, false)).toEqual({ what: 'copy' })
    expect(await paste(store)).toBe('nothing')
    givenClipboard(async () => copiedText([text('c'), text('d')]))
    expect(await paste(store)).toBe('paste')
    givenClipboard(async () =>
      copiedText([{ type: 'socialListItem', id: 'e', name: 'xing', href: { text: 'https://xing.com' } }]),
    )
    expect(await paste(store)).toBe('refused')
    expect(count(store)).toBe(4)
  })

  it.each([refuse, undefined])('pastes what this tab has copied where pages may not read', async readText => {
    const store = selected()
    givenClipboard(readText)
    expect(copySelected(store, true)).toEqual({ what: 'cut' })
    expect(count(store)).toBe(1)
    expect(await paste(store)).toBe('paste')
    expect(count(store)).toBe(2)
  })
})

describe('blocks of another workspace', () => {
  const copied = (picture: string, field: string, campaign: string): AnyBlock[] => [
    {
      type: 'stack',
      id: 's',
      children: [
        { type: 'image', id: 'i', assetUuid: picture, href: { smartFieldUuid: field } },
        {
          type: 'text',
          id: 't',
          tokens: [
            { id: 't1', value: 'Call ' },
            { id: 't2', smartFieldUuid: field, fallback: 'us', prefix: '+' },
          ],
        },
      ],
    },
    { type: 'stack', id: 'b', children: [{ type: 'marketing', id: 'm', campaignUuid: campaign }] },
  ]
  const pasted = async (blocks: readonly AnyBlock[]) => {
    const store = new EditorStore('signature', { type: 'stack', id: 'root', children: [] })
    givenClipboard(async () => copiedText(blocks))
    const result = await pasteAll(store)
    const { children = [] } = JSON.parse(
      JSON.stringify(store.getState().tree, (key, value) => (key === 'id' ? undefined : value)),
    )
    return { result, children }
  }

  it('are pasted whole where their parts exist', async () => {
    const { result, children } = await pasted(copied(here(1), here(2), here(3)))
    expect(result).toEqual({ what: 'paste' })
    expect(children[0].children[0]).toEqual({
      type: 'image',
      assetUuid: here(1),
      href: { smartFieldUuid: here(2) },
    })
    expect(children[1].children[0].campaignUuid).toBe(here(3))
  })

  it('are pasted without the parts that do not exist here, and the person hears which', async () => {
    const { result, children } = await pasted(copied(here(1), elsewhere, elsewhere))
    expect(result).toEqual({ what: 'paste', leftOut: { smart_field: 1, campaign: 1 } })
    expect(children).toEqual([
      {
        type: 'stack',
        children: [
          { type: 'image', assetUuid: here(1) },
          { type: 'text', tokens: [{ value: 'Call ' }, { value: 'us' }] },
        ],
      },
    ])
  })

  it('are refused when nothing of them exists here', async () => {
    const button: AnyBlock = {
      type: 'button',
      id: 'b',
      tokens: [{ value: 'Book' }],
      href: { smartFieldUuid: elsewhere },
    }
    const { result, children } = await pasted([button, { type: 'image', id: 'i', assetUuid: elsewhere }])
    expect([result, children]).toEqual([{ what: 'foreign' }, []])
  })
})

describe('a clipboard that is broken', () => {
  it.each([
    ['is cut off', '{"signoff":"blocks","blocks":[{"type":"te'],
    ['has no blocks', '{"signoff":"blocks","blocks":{}}'],
    ['has a null', '{"signoff":"blocks","blocks":[null]}'],
    ['has a block of an unknown kind', '{"signoff":"blocks","blocks":[{"type":"table"}]}'],
    ['has children that are none', '{"signoff":"blocks","blocks":[{"type":"stack","children":7}]}'],
  ])('and %s is refused with a word', async (_, json) => {
    const store = selected()
    givenClipboard(async () => json)
    expect([await paste(store), count(store)]).toEqual(['broken', 2])
  })
})
