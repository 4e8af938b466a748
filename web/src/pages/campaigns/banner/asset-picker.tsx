// A picture of the library, or a new one from the computer.
import type { Asset } from '@signoff/sdk'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '../../../api/client.ts'
import { useFieldErrors, useMessageOf } from '../../../api/error-texts.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Label, SearchField } from '../../../ui/field.tsx'
import { imageTypes } from '../../../ui/image-types.ts'
import { LoadError, Notice } from '../../../ui/page.tsx'

interface AssetPickerProps {
  readonly value: string | null
  readonly onChange: (asset: Asset) => void
}

const shownAssets = 24

export function AssetPicker({ value, onChange }: AssetPickerProps) {
  const t = useTranslations('campaigns.banner')
  const can = useCan()
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['assets', 'picker', search],
    queryFn: async () => await api.assets.list({ limit: shownAssets, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  })
  const { data: chosen } = useQuery({
    queryKey: ['assets', 'one', value],
    queryFn: () => api.assets.get(value as string),
    enabled: value !== null && data !== undefined && !data.some(({ id }) => id === value),
  })
  const upload = useUpload(onChange)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const assets = chosen && !data?.some(({ id }) => id === chosen.id) ? [chosen, ...(data ?? [])] : data
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label={t('searchPictures')}
          value={search}
          onChange={setSearch}
          className="min-w-40 flex-1"
        />
        {can('assets:write') && (
          <FileTrigger
            acceptedFileTypes={imageTypes}
            onSelect={files => files?.[0] && upload.mutate(files[0])}
          >
            <Button icon="upload" isPending={upload.isPending}>
              {t('upload')}
            </Button>
          </FileTrigger>
        )}
      </div>
      {upload.problem && <Notice kind="bad">{upload.problem}</Notice>}
      <AssetChoice assets={assets ?? []} value={value} onChange={onChange} />
      {data?.length === 0 && <p className="text-[0.8125rem] text-muted">{t('noPictures')}</p>}
    </div>
  )
}

function useUpload(onDone: (asset: Asset) => void) {
  const messageOf = useMessageOf()
  const fieldErrors = useFieldErrors()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => api.assets.create({ file_base64: file, filename: file.name, role: 'banner' }),
    onSuccess: async asset => {
      await queryClient.invalidateQueries({ queryKey: ['assets'] })
      onDone(asset)
    },
  })
  const problem = error && (Object.values(fieldErrors(error))[0] ?? messageOf(error))
  return { mutate, isPending, problem }
}

interface AssetChoiceProps extends AssetPickerProps {
  readonly assets: readonly Asset[]
}

const AssetChoice = ({ assets, value, onChange }: AssetChoiceProps) => {
  const t = useTranslations('campaigns.banner')
  return (
    <RadioGroup
      value={value}
      onChange={id => {
        const asset = assets.find(each => each.id === id)
        if (asset) onChange(asset)
      }}
    >
      <Label>{t('picture')}</Label>
      <div className="grid max-h-64 grid-cols-2 gap-2 overflow-y-auto p-0.5 sm:grid-cols-3">
        {assets.map(({ id, name, url }) => (
          <Radio
            key={id}
            value={id}
            className="grid gap-1 rounded-xl border border-line bg-card p-2 text-xs data-selected:border-accent data-selected:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-accent"
          >
            <span className="grid h-16 place-items-center overflow-hidden rounded-lg bg-sunken">
              <img src={url} alt="" loading="lazy" className="max-h-16 max-w-full object-contain" />
            </span>
            <span className="truncate">{name}</span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
