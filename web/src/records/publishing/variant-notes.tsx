// What publishing a variant does not do by itself.
import type { Signature, SignatureVariant } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Checkbox } from '#ui/form/choice.tsx'
import { Notice } from '#ui/layout/page.tsx'

export const useVariant = (signatureId: string, kind: 'reply' | 'internal' | undefined) =>
  useQuery({
    queryKey: ['signatures', 'variants', signatureId, kind] as const,
    queryFn: () => api.signatures.variants.get(signatureId, kind as 'reply'),
    enabled: kind !== undefined,
    staleTime: 0,
  })

interface VariantNotesProps {
  readonly signature: Signature
  readonly variant: SignatureVariant
  /** True if the signature is published too. Only for one that never was. */
  readonly isBoth: boolean
  readonly onBoth: (isBoth: boolean) => void
}

export function VariantNotes({ signature, variant, isBoth, onBoth }: VariantNotesProps) {
  const t = useTranslations('signatures.variantNotes')
  const { hidden, activated, last_published_at: published } = variant
  const notes = [
    ...(hidden ? ['hidden' as const] : published !== null && !activated ? ['off' as const] : []),
    ...(signature.last_published_at === null ? ['unpublished' as const] : []),
  ]
  return notes.map(note => (
    <div key={note} className="mt-4">
      <Notice kind="warn">
        {t(note)}
        {note === 'unpublished' && (
          <Checkbox isSelected={isBoth} onChange={onBoth} className="mt-2 text-ink">
            {t('both')}
          </Checkbox>
        )}
      </Notice>
    </div>
  ))
}
