// The links of a social list: each with its network and its address, in their order.
import { type IconName, networkHome } from '@signoff/render'
import { useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import { useTranslations } from 'use-intl'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { PopoverPanel } from '#ui/overlay/popover-panel.tsx'
import { useAnnounce } from '../announcements.tsx'
import { useEditor } from '../editor-context.ts'
import { insertBlocks } from '../model/operations.ts'
import { socialNames, useIconName } from './icon-names.ts'
import { useInspector } from './inspector-data.ts'
import { SocialItem } from './social-item.tsx'

const IconPicker = onDemand(() => import('./icon-picker.tsx'))

type SocialListBlock = Extract<AnyBlock, { type: 'socialList' }>

export default function SocialItems({ block }: { readonly block: SocialListBlock }) {
  const t = useTranslations('editor.social')
  const { store } = useEditor()
  const { brand } = useInspector()
  const nameOf = useIconName()
  const announce = useAnnounce()
  const [isAdding, setAdding] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const items = block.children ?? []
  const add = (name: IconName, address?: string) => {
    setAdding(false)
    const own = brand?.social.find(link => link.name === name)?.href
    const text = address ?? own ?? networkHome(name) ?? brand?.website ?? 'https://example.com'
    const item: AnyBlock = { type: 'socialListItem', id: newId(), name, href: { text } }
    const place = { parentId: idOf(block), index: items.length }
    store.change(root => insertBlocks(root, place, [item]))
    announce(t('added', { name: nameOf(name) }))
  }
  return (
    <div className="grid gap-2">
      {items.length === 0 && <p className="text-[0.8125rem] text-muted">{t('empty')}</p>}
      <ul className="grid gap-2">
        {items.map((item, index) => (
          <SocialItem
            key={idOf(item)}
            item={item}
            isFirst={index === 0}
            isLast={index === items.length - 1}
          />
        ))}
      </ul>
      <ButtonContext.Provider value={{ ref: trigger, 'aria-haspopup': 'dialog', 'aria-expanded': isAdding }}>
        <Button icon="plus" onPress={() => setAdding(true)}>
          {t('add')}
        </Button>
      </ButtonContext.Provider>
      {isAdding && (
        <PopoverPanel label={t('add')} triggerRef={trigger} onClose={() => setAdding(false)}>
          <IconPicker
            names={socialNames}
            onChoose={name => add(name)}
            onAddress={(address, name) => add(name, address)}
          />
        </PopoverPanel>
      )}
    </div>
  )
}
