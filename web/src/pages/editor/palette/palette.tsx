// Blocks to add: a click puts one after the selected block, dragging puts it anywhere on the canvas or in the outline.
import type { Brand, SmartField } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { toast } from '../../../ui/toast.tsx'
import { useAnnounce } from '../announcements.tsx'
import { useEditor } from '../editor-context.ts'
import { EditorIcon, type EditorIconName } from '../editor-icon.tsx'
import { type AnyBlock, idOf } from '../model/block.ts'
import { type NewBlockName, newBlock, offeredBlocks } from '../model/new-blocks.ts'
import { insertBlocks } from '../model/operations.ts'
import { placeFor } from '../model/place.ts'

const icons: Readonly<Record<NewBlockName, EditorIconName>> = {
  text: 'type',
  field: 'braces',
  photo: 'circle-user',
  logo: 'building-2',
  image: 'image-plus',
  button: 'rectangle-horizontal',
  contacts: 'list',
  socialLinks: 'share-2',
  icon: 'star',
  divider: 'minus',
  qrCode: 'qr-code',
  row: 'columns-2',
  column: 'rows-2',
  banner: 'megaphone',
}

interface PaletteProps {
  readonly brand: Brand | undefined
  readonly fields: readonly SmartField[]
  /** Pictures are chosen first; the block is added with the chosen one. */
  readonly onChoosePicture: () => void
}

export function Palette({ brand, fields, onChoosePicture }: PaletteProps) {
  const t = useTranslations('editor.palette')
  const { store, drag } = useEditor()
  const announce = useAnnounce()
  const make = (name: NewBlockName): AnyBlock | null =>
    newBlock(name, { brand, fields, words: { text: t('newText'), button: t('newButton') } })
  const add = (name: NewBlockName) => {
    const block = make(name)
    if (!block) return name === 'image' ? onChoosePicture() : toast(t(name === 'logo' ? 'noLogo' : 'noField'))
    const { tree, selection } = store.getState()
    const place = placeFor(tree, selection.at(-1), [block], store.kind)
    if (!place) return
    const problems = store.change(root => insertBlocks(root, place, [block]), { select: [idOf(block)] })
    announce(problems.length > 0 ? t('refused') : t('added', { name: t(name) }))
    if (problems.length > 0) toast(t('refused'))
  }
  return (
    <ul aria-label={t('label')} className="grid grid-cols-2 gap-1.5">
      {offeredBlocks(store.kind).map(name => (
        <li key={name} className="contents">
          <button
            type="button"
            onClick={() => add(name)}
            onPointerDown={event =>
              drag.watch(event.nativeEvent, () => {
                const block = make(name)
                return block ? { dragged: { blocks: [block], movedIds: [] }, label: t(name) } : undefined
              })
            }
            className="flex min-h-9 touch-none items-center gap-2 rounded-lg border border-line bg-card px-2.5 text-start text-[0.8125rem] hover:border-edge focus-visible:outline-2 focus-visible:outline-accent"
          >
            <EditorIcon name={icons[name]} size={15} className="text-muted" />
            <span className="min-w-0 truncate">{t(name)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
