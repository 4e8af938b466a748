import { useTranslations } from 'use-intl'
import { Card } from '#ui/layout/page.tsx'
import { MappingList } from './mapping/mapping-list.tsx'
import { IntegrationFrame, LoadedIntegration } from './parts/integration-frame.tsx'

export default function ValuesPage() {
  const t = useTranslations('integrations.mapping')
  return (
    <LoadedIntegration>
      {integration => (
        <IntegrationFrame integration={integration}>
          <Card title={t('title')} about={t('about')}>
            <MappingList integration={integration} />
          </Card>
        </IntegrationFrame>
      )}
    </LoadedIntegration>
  )
}
