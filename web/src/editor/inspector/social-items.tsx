// The links of a social list: each with its network and its address, in their order.
import { type IconName, networkHome, type SocialListItem, safeUrl } from '@signoff/render'
import { useEffect, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import { useTranslations } from 'use-intl'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { Menu, type MenuEntries } from '#ui/overlay/menu.tsx'
import { PopoverPanel } from '#ui/overlay/popover-panel.tsx'
import { socialNames, useIconName, withAddress } from '../blocks/icon-names.ts'
import { IconInput } from '../inputs/icon-input.tsx'
import { useInspector } from '../inputs/inspector-data.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditor } from '../kit/editor-context.ts'
import {
  insertBlocks,
  moveByStep,
  type Properties,
  removeBlocks,
  setProperties,
} from '../model/operations.ts'

const IconPicker = onDemand(() => import('../inputs/icon-picker.tsx'))

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
    const position = { parentId: idOf(block), index: items.length }
    store.change(root => insertBlocks(root, position, [item]))
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

// One link of a social list: the network, the address, and what can be done with it.

interface SocialItemProps {
  readonly item: SocialListItem
  readonly isFirst: boolean
  readonly isLast: boolean
}

function SocialItem({ item, isFirst, isLast }: SocialItemProps) {
  const t = useTranslations('editor.social')
  const { store } = useEditor()
  const nameOf = useIconName()
  const name = nameOf(item.name as IconName)
  const id = idOf(item)
  const set = (properties: Properties) =>
    store.change(root => setProperties(root, id, properties), { mergeKey: `social ${id}` })
  return (
    <li aria-label={name} className="flex items-start gap-1">
      <IconInput
        label={t('network')}
        isSmall
        value={item.name as IconName}
        names={socialNames}
        onChange={chosen => set({ name: chosen })}
      />
      <AddressField item={item} label={t('address', { name })} onChange={set} />
      <ItemMenu item={item} name={name} isFirst={isFirst} isLast={isLast} onChange={set} />
    </li>
  )
}

interface AddressFieldProps {
  readonly item: SocialListItem
  readonly label: string
  readonly onChange: (properties: Properties) => void
}

function AddressField({ item, label, onChange }: AddressFieldProps) {
  const tools = useTranslations('editor.textTools')
  const { fields } = useInspector()
  const { text: stored, smartFieldUuid } = item.href
  const [text, setText] = useState(stored ?? '')
  useEffect(() => setText(stored ?? ''), [stored])
  if (smartFieldUuid !== undefined)
    return (
      <Select
        label={label}
        isLabelHidden
        value={smartFieldUuid}
        onChange={id => onChange({ href: { ...item.href, smartFieldUuid: id } })}
        options={fields
          .filter(({ kind }) => kind !== 'image')
          .map(field => ({ id: field.id, label: field.label }))}
        className="min-w-0 flex-1"
      />
    )
  return (
    <TextField
      label={label}
      isLabelHidden
      placeholder="https://"
      inputMode="url"
      maxLength={2_048}
      value={text}
      validationBehavior="aria"
      validate={typed => (safeUrl(typed) === null ? tools('notAnAddress') : null)}
      onChange={typed => {
        setText(typed)
        if (safeUrl(typed) !== null) onChange(withAddress(item, typed))
      }}
      className="min-w-0 flex-1"
    />
  )
}

interface ItemMenuProps extends SocialItemProps {
  readonly name: string
  readonly onChange: (properties: Properties) => void
}

function ItemMenu({ item, name, isFirst, isLast, onChange }: ItemMenuProps) {
  const t = useTranslations('editor.social')
  const { store } = useEditor()
  const { fields } = useInspector()
  const announce = useAnnounce()
  const id = idOf(item)
  const linkable = fields.filter(({ kind }) => kind !== 'image')
  const field = linkable.find(({ kind }) => kind === 'url') ?? linkable[0]
  const isField = item.href.smartFieldUuid !== undefined
  const move = (step: 'earlier' | 'later') => {
    store.change(root => moveByStep(root, [id], step))
    announce(t('moved', { name }))
  }
  const entries: MenuEntries = [
    !isFirst && { id: 'up', label: t('up'), icon: 'arrow-up', onAction: () => move('earlier') },
    !isLast && { id: 'down', label: t('down'), icon: 'arrow-down', onAction: () => move('later') },
    isField && {
      id: 'address',
      label: t('useAddress'),
      icon: 'link',
      onAction: () =>
        onChange({ href: { text: networkHome(item.name as IconName) ?? 'https://example.com' } }),
    },
    !isField &&
      field && {
        id: 'field',
        label: t('useField'),
        icon: 'user',
        onAction: () => onChange({ href: { smartFieldUuid: field.id } }),
      },
    {
      id: 'remove',
      label: t('remove'),
      icon: 'trash-2',
      isDangerous: true,
      beginsGroup: true,
      onAction: () => {
        store.change(root => removeBlocks(root, [id]))
        announce(t('removed', { name }))
      },
    },
  ]
  return (
    <Menu
      label={t('actions', { name })}
      trigger={<IconButton icon="ellipsis" label={t('actions', { name })} className="mt-0.5" />}
      entries={entries}
    />
  )
}
