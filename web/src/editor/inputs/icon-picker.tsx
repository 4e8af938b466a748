// All icons as pictures, found by typing. The keys go through the grid while the field keeps the focus.
import { type IconName, networkOfAddress, safeUrl } from '@signoff/render'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { useTranslations } from 'use-intl'
import { SearchField } from '#ui/form/field.tsx'
import { foundIcons, useNamedIcons } from '../blocks/icon-names.ts'
import { IconPicture } from './icon-picture.tsx'

interface IconPickerProps {
  readonly names: readonly IconName[]
  readonly value?: IconName | undefined
  readonly onChoose: (name: IconName) => void
  /** The field takes addresses too: the network is the one of the address. */
  readonly onAddress?: ((address: string, name: IconName) => void) | undefined
}

/** A text with a dot and without spaces, whose host people would write. */
function addressIn(text: string): string | undefined {
  const typed = text.trim()
  if (!/^\S+\.\S{2,}$/.test(typed)) return undefined
  const address = /^[a-z]+:/i.test(typed) ? typed : `https://${typed}`
  return safeUrl(address) ?? undefined
}

export default function IconPicker({ names, value, onChoose, onAddress }: IconPickerProps) {
  const t = useTranslations('editor.iconPicker')
  const [search, setSearch] = useState('')
  const icons = foundIcons(useNamedIcons(names), search)
  const address = onAddress && addressIn(search)
  const network = address ? (networkOfAddress(address) ?? 'globe') : undefined
  const named = useNamedIcons(network ? [network] : [])[0]
  return (
    <Autocomplete inputValue={search} onInputChange={setSearch}>
      <div className="grid w-72 gap-2 p-1.5">
        <SearchField
          label={t(onAddress ? 'searchOrPaste' : 'search')}
          value={search}
          onChange={setSearch}
          autoFocus
        />
        <ListBox
          aria-label={t('icons')}
          layout="grid"
          selectionMode="none"
          items={address && named ? [named] : icons}
          onAction={key => {
            if (address && network) onAddress?.(address, network)
            else onChoose(key as IconName)
          }}
          renderEmptyState={() => (
            <p className="px-2 py-4 text-center text-[0.8125rem] text-muted">{t('nothing')}</p>
          )}
          className={address ? 'grid' : 'grid max-h-72 grid-cols-4 gap-1 overflow-y-auto p-0.5'}
        >
          {({ id, label }) => (
            <ListBoxItem
              id={id}
              textValue={label}
              className={`cursor-pointer rounded-lg p-1.5 text-xs outline-none data-focused:bg-accent-soft data-hovered:bg-sunken data-focused:outline-2 data-focused:outline-accent ${
                address ? 'flex items-center gap-2' : 'grid justify-items-center gap-1 text-center'
              } ${id === value ? 'bg-accent-soft' : ''}`}
            >
              <IconPicture name={id} />
              <span className="w-full min-w-0 truncate">
                {address ? t('add', { name: label, address }) : label}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </div>
    </Autocomplete>
  )
}
