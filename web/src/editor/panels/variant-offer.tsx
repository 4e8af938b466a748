// A kind of mail without a signature of its own: what is sent without it, and the ways to make one.
import type { Content } from '@signoff/render'
import type { Content as SentContent } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { makeVariant } from '#records/signatures/make-variant.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toastError, toastNote } from '#ui/feedback/toast.tsx'
import { emptyContent, type VariantKind } from './kind-contents.ts'

interface VariantOfferProps {
  readonly signatureId: string
  readonly kind: VariantKind
  /** The content that is copied. */
  readonly main: Content | null
  /** The kind of mail is sent without any signature. */
  readonly isHidden: boolean
  readonly isSupported: boolean
  readonly onMade: () => void
  readonly level: 'h2' | 'h3'
}

export function VariantOffer(props: VariantOfferProps) {
  const { signatureId, kind, main, isHidden, isSupported, onMade, level: Heading } = props
  const t = useTranslations('editor.kinds')
  const can = useCan()
  const messageOf = useMessageOf()
  const [isPending, setPending] = useState(false)
  const make = (content: Content) => {
    setPending(true)
    makeVariant(signatureId, kind, content as unknown as SentContent)
      .then(result => {
        if (result === 'found') toastNote(t('found'))
        onMade()
      })
      .catch(error => toastError(messageOf(error)))
      .finally(() => setPending(false))
  }
  return (
    <div className="grid justify-items-start gap-2">
      <Heading className="font-semibold">
        {t(isHidden ? 'offer.hidden.title' : `offer.${kind}.title`)}
      </Heading>
      <p className="max-w-md text-[0.8125rem] text-muted">
        {t(isHidden ? 'offer.hidden.text' : `offer.${kind}.text`)}
      </p>
      {!isSupported && <p className="max-w-md text-[0.8125rem] text-warn">{t('unsupported')}</p>}
      {can('signatures:write') && (
        <div className="mt-1 flex flex-wrap gap-2">
          {main && (
            <Button variant="primary" icon="copy" isPending={isPending} onPress={() => make(main)}>
              {t('copyMain')}
            </Button>
          )}
          <Button isPending={isPending} onPress={() => make(emptyContent())}>
            {t('startEmpty')}
          </Button>
        </div>
      )}
    </div>
  )
}
