// Finds a person by name, address or any value, and gives one of the person's addresses.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useNameOf } from '#api/teammates.ts'
import { addressesOf, type PickedAddress } from '#records/signatures/example-person.ts'
import { classes, controlFrame, optionClasses, popoverFrame } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { Label } from '#ui/form/field.tsx'

interface PersonPickerProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value: PickedAddress | undefined
  /** Undefined: no person, the names of the fields are shown instead. */
  readonly onChange: (picked: PickedAddress | undefined) => void
  readonly placeholder?: string
  readonly className?: string
  /** The field is emptied after each choice, to choose the next one. */
  readonly isRepeated?: boolean
}

export function PersonPicker(props: PersonPickerProps) {
  const { label, isLabelHidden, value, onChange, placeholder, className, isRepeated = false } = props
  const t = useTranslations('signatures')
  const [text, setText] = useState(value ? value.name : '')
  // A new field after each choice: the old one would open its list again when it is emptied.
  const [round, setRound] = useState(0)
  const pickedName = value?.name
  useEffect(() => {
    if (pickedName !== undefined) setText(pickedName)
  }, [pickedName])
  const search = useDeferredValue(text === value?.name ? '' : text.trim())
  const { data = [], isFetching } = useQuery({
    queryKey: ['teammates', 'pick', search],
    queryFn: ({ signal }) => api.teammates.list({ limit: 12, ...(search && { search }) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const nameOf = useNameOf()
  const options = data.flatMap(person => addressesOf(person, nameOf(person)))
  const pick = (key: unknown) => {
    const picked = options.find(option => option.emailId === key)
    if (!picked) return
    setText(isRepeated ? '' : picked.name)
    if (isRepeated) setRound(now => now + 1)
    onChange(picked)
  }
  const type = (typed: string) => {
    setText(typed)
    if (typed === '' && value && !isRepeated) onChange(undefined)
  }
  return (
    <ComboBox
      key={round}
      autoFocus={round > 0}
      {...(isLabelHidden && { 'aria-label': label })}
      items={options}
      inputValue={text}
      onInputChange={type}
      selectedKey={isRepeated ? null : (value?.emailId ?? null)}
      onSelectionChange={pick}
      menuTrigger={isRepeated ? 'input' : 'focus'}
      allowsEmptyCollection
      allowsCustomValue
      className={classes('block', className)}
    >
      {!isLabelHidden && <Label>{label}</Label>}
      <div className="relative">
        <Icon name="user" className="pointer-events-none absolute start-3 top-2.5 text-muted" />
        <Input
          placeholder={placeholder ?? t('searchPerson')}
          className={classes(controlFrame, 'ps-9 pe-9')}
        />
        <AriaButton className="absolute end-1.5 top-1.5 grid size-6 place-items-center rounded text-muted">
          <Icon name="chevrons-up-down" size={14} />
        </AriaButton>
      </div>
      <Popover className={popoverFrame}>
        <ListBox<PickedAddress>
          className="max-h-72 outline-none"
          renderEmptyState={() => (
            <p className="px-2.5 py-2 text-sm text-muted">{isFetching ? t('searching') : t('nobodyFound')}</p>
          )}
        >
          {({ emailId, address, name }) => (
            <ListBoxItem id={emailId} textValue={name} className={optionClasses}>
              <span className="min-w-0">
                <span className="block truncate">{name}</span>
                <span className="block truncate text-xs text-muted">{address}</span>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
