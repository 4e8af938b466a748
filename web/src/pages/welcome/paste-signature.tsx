// Takes the brand from a signature that the person pastes from the mail program.

import { iconLabel } from '@signoff/render'
import type { Brand } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import type { ClipboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { Button, Spinner } from '#ui/base/button.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { brandIn, type FoundBrand, patchOf } from './found-brand.ts'
import { saveBrand } from './style-fields.tsx'

const importBrand = async (html: string): Promise<FoundBrand> =>
  brandIn((await api.content.import({ html })).content)

function Findings({ findings }: { readonly findings: FoundBrand }) {
  const t = useTranslations('welcome.paste')
  const [primary] = findings.colors
  const rows = [
    [t('color'), primary && <Swatch key="color" color={primary} />],
    [t('logo'), findings.logoAssetId && t('found')],
    [t('website'), findings.website],
    [
      t('social'),
      findings.social.length > 0 && findings.social.map(({ name }) => iconLabel(name)).join(', '),
    ],
    [t('font'), findings.font],
  ] as const
  return (
    <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd>{value || <span className="text-muted">{t('notFound')}</span>}</dd>
        </div>
      ))}
    </dl>
  )
}

const Swatch = ({ color }: { readonly color: string }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden="true" className="size-4 rounded border border-line" style={{ background: color }} />
    {color}
  </span>
)

interface PasteSignatureProps {
  readonly brand: Brand
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

export function PasteSignature({ brand, isOpen, onClose, onDone }: PasteSignatureProps) {
  const t = useTranslations('welcome.paste')
  const reading = useMutation({ mutationFn: importBrand })
  const saving = useMutation({
    mutationFn: (findings: FoundBrand) => saveBrand(brand, patchOf(findings)),
    onSuccess: async () => {
      await readAgain('brand')
      void readAgain('templates')
      toast(t('taken'))
      onDone()
    },
  })
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    const html = event.clipboardData.getData('text/html') || event.clipboardData.getData('text/plain')
    if (html.trim()) reading.mutate(html)
  }
  const error = reading.error ?? saving.error
  return (
    <Dialog title={t('title')} isOpen={isOpen} onClose={onClose}>
      <p className="text-muted">{t('about')}</p>
      <div
        role="textbox"
        tabIndex={0}
        aria-label={t('box')}
        aria-multiline="true"
        contentEditable
        suppressContentEditableWarning
        onPaste={paste}
        onBeforeInput={event => event.preventDefault()}
        className="mt-4 grid min-h-28 place-items-center rounded-xl border-2 border-dashed border-edge/50 bg-sunken p-4 text-center text-muted"
      >
        {reading.isPending ? <Spinner /> : t('box')}
      </div>
      <div role="status">{reading.data && <Findings findings={reading.data} />}</div>
      <ErrorNotice error={error} className="mt-4" />
      <Actions>
        <Button
          variant="primary"
          isDisabled={!reading.data}
          isPending={saving.isPending}
          onPress={() => reading.data && saving.mutate(reading.data)}
        >
          {t('use')}
        </Button>
      </Actions>
    </Dialog>
  )
}
