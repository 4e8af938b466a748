// The directory that a person comes from.
import { useTranslations } from 'use-intl'
import { useSourceName } from '#api/integrations.ts'
import { Icon } from '#ui/icon.tsx'
import { Badge } from '#ui/page.tsx'
import { PathLink } from '#ui/text-link.tsx'

export function SourceBadge({ integrationId }: { readonly integrationId: string | null }) {
  const t = useTranslations('people')
  const name = useSourceName()(integrationId)
  if (name === undefined) return <Badge>{t('filters.sourceDirectory')}</Badge>
  return (
    <PathLink to={`/integrations/${integrationId}`} className="rounded-full hover:underline">
      <Badge>
        <Icon name="plug" size={12} />
        {t('fromSource', { name })}
      </Badge>
    </PathLink>
  )
}
