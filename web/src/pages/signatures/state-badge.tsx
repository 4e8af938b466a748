import { useTranslations } from 'use-intl'
import type { SignatureState } from '#records/signatures/signature-data.ts'
import { Badge, type BadgeVariant } from '#ui/layout/page.tsx'

const variants: Readonly<Record<SignatureState, BadgeVariant>> = {
  draft: 'neutral',
  live: 'good',
  changed: 'warn',
  inactive: 'neutral',
}

export function SignatureBadge({ state }: { readonly state: SignatureState }) {
  const t = useTranslations('signatures.states')
  return <Badge variant={variants[state]}>{t(state)}</Badge>
}
