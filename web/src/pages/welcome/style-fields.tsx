// Logo and colour of the brand. Both are saved at once, so that the example beside them shows them.

import type { Brand, BrandPatch } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { controlFrame } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import { hexOf } from './found-brand.ts'

/** The color of designs without a brand. */
const defaultColor = '#2b6cb0'

const refreshBrand = async () => {
  await readAgain('brand')
  void readAgain('templates')
}

/** Single colours are patched, so single colours are compared. */
const brandParts = (values: object) => {
  const { colors, ...rest } = values as BrandPatch
  return { ...rest, ...colors }
}

export const saveBrand = (seen: Brand, patch: BrandPatch): Promise<Brand> =>
  saveOverSeen({
    seen,
    patch,
    partsOf: brandParts,
    read: () => api.brand.get(),
    save: (changes, options) => api.brand.update(changes, options),
  })

/** Larger files are named: mails get a small version of them. */
const largeBytes = 1024 * 1024

/** Saves the logo, unless another one was chosen while it was uploaded. */
async function uploadLogo(brand: Brand, file: File, isNewest: () => boolean): Promise<void> {
  const { id } = await api.assets.create({ file_base64: file, filename: file.name, role: 'company_logo' })
  if (isNewest()) await saveBrand(brand, { logo_asset_id: id })
}

export function LogoField({ brand }: { readonly brand: Brand }) {
  const t = useTranslations('welcome.company')
  const newest = useRef(0)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => {
      const turn = ++newest.current
      return uploadLogo(brand, file, () => turn === newest.current)
    },
    onSuccess: (_, { size }) => {
      if (size > largeBytes) toast(t('largeLogo', { size: size / largeBytes }))
      return refreshBrand()
    },
  })
  const { data: logo } = useQuery({
    queryKey: ['assets', brand.logo_asset_id],
    queryFn: () => api.assets.get(brand.logo_asset_id ?? ''),
    enabled: brand.logo_asset_id !== null,
  })
  return (
    <div>
      <p className="mb-1 text-[0.8125rem] font-medium">{t('logo')}</p>
      <div className="flex items-center gap-3">
        <span className="grid h-14 w-28 shrink-0 place-items-center rounded-lg border border-line bg-white p-2">
          {logo ? (
            <img src={logo.url} alt={t('logoAlt')} className="max-h-9 max-w-23 object-contain" />
          ) : (
            <Icon name="image" size={22} className="text-[#878e9b]" />
          )}
        </span>
        <FileTrigger
          acceptedFileTypes={imageTypes}
          onSelect={files => {
            const file = files?.[0]
            if (file) mutate(file)
          }}
        >
          <Button icon="upload" isPending={isPending}>
            {logo ? t('otherLogo') : t('chooseLogo')}
          </Button>
        </FileTrigger>
      </div>
      <ErrorNotice error={error} className="mt-2" />
    </div>
  )
}

export function MainColorField({ brand }: { readonly brand: Brand }) {
  const t = useTranslations('welcome.company')
  const stored = hexOf(brand.colors.primary ?? undefined)
  const [color, setColor] = useState(stored ?? defaultColor)
  useEffect(() => {
    if (stored !== undefined) setColor(stored)
  }, [stored])
  const { mutate, error } = useMutation({
    mutationFn: (primary: string) => saveBrand(brand, { colors: { primary } }),
    onSettled: refreshBrand,
  })
  useEffect(() => {
    if (color === stored || (stored === undefined && color === defaultColor)) return
    const timer = setTimeout(() => mutate(color), 400)
    return () => clearTimeout(timer)
  }, [color, stored, mutate])
  return (
    <div>
      <label htmlFor="brand-color" className="mb-1 block text-[0.8125rem] font-medium">
        {t('color')}
      </label>
      <div className="flex items-center gap-2">
        <input
          id="brand-color"
          type="color"
          value={color}
          onChange={event => setColor(event.target.value)}
          className="h-9 w-14 shrink-0 rounded-lg border border-edge/60 bg-card p-1"
        />
        <input
          aria-label={t('colorCode')}
          defaultValue={color}
          key={color}
          spellCheck={false}
          onBlur={event => setColor(hexOf(event.target.value.trim()) ?? color)}
          className={`${controlFrame} max-w-32 font-mono`}
        />
      </div>
      <ErrorNotice error={error} className="mt-2" />
    </div>
  )
}
