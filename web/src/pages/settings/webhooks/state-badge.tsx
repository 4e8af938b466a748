import type { WebhookDelivery } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Badge } from '#ui/layout/page.tsx'

const variants = { pending: 'warn', delivered: 'good', failed: 'bad' } as const

export function DeliveryBadge({ state }: { readonly state: WebhookDelivery['state'] }) {
  const t = useTranslations('settings.webhooks.states')
  return <Badge variant={variants[state]}>{t(state)}</Badge>
}
