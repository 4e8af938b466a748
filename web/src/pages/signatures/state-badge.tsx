import { useTranslations } from 'use-intl'
import type { SignatureState } from '#records/signatures/signature-data.ts'
import { Badge, type BadgeLook } from '#ui/layout/page.tsx'

const looks: Readonly<Record<SignatureState, BadgeLook>> = {
  draft: 'neutral',
  live: 'good',
  changed: 'warn',
  inactive: 'neutral',
}

export function SignatureBadge({ state }: { readonly state: SignatureState }) {
  const t = useTranslations('signatures.states')
  return <Badge look={looks[state]}>{t(state)}</Badge>
}
