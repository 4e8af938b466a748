import type { Asset, Content } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Actions, Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { BannerFields } from './banner-fields.tsx'
import { bannerOf, contentOfBanner, emptyBanner } from './banner-model.ts'

interface BannerDialogProps {
  readonly content: Content | null
  /** The name of a variant; undefined for the only banner. */
  readonly name?: string | undefined
  readonly save: (content: Content | null, name: string) => Promise<unknown>
  readonly onClose: () => void
}

export function BannerDialog({ content, name, save, onClose }: BannerDialogProps) {
  const t = useTranslations('campaigns')
  const stored = bannerOf(content)
  const [draft, setDraft] = useState(stored ?? emptyBanner)
  const [asset, setAsset] = useState<Asset>()
  return (
    <Dialog
      title={name === undefined ? t('banner.editOnly') : t('banner.editTitle', { name })}
      isOpen
      onClose={onClose}
      isModalOnly
    >
      <Form
        onSubmit={form => save(contentOfBanner(draft, asset, content), String(form.get('name') ?? '').trim())}
        onDone={() => {
          toast(t('saved'))
          onClose()
        }}
      >
        {({ isPending }) => (
          <>
            {stored === undefined && <Notice kind="warn">{t('banner.complex')}</Notice>}
            {name !== undefined && (
              <TextField
                label={t('banner.variantName')}
                name="name"
                defaultValue={name}
                isRequired
                maxLength={200}
              />
            )}
            <BannerFields
              value={draft}
              onChange={(changed, chosen) => {
                setDraft(changed)
                if (chosen) setAsset(chosen)
              }}
            />
            <Actions>
              <Button onPress={onClose}>{t('cancel')}</Button>
              <Button
                type="submit"
                look="primary"
                isPending={isPending}
                isDisabled={stored === undefined && draft.assetId === null}
              >
                {t('save')}
              </Button>
            </Actions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
