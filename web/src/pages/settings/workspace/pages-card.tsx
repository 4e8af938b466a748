import { useTranslations } from 'use-intl'
import { RadioChoice, Switch } from '#ui/form/choice.tsx'
import { Card } from '#ui/layout/page.tsx'
import { DaysField } from './days-field.tsx'
import type { WorkspacePartProps } from './parts.ts'

export function PagesCard({ draft, change, isReadOnly }: WorkspacePartProps) {
  const t = useTranslations('settings.workspace')
  return (
    <>
      <Card title={t('pagesTitle')} about={t('pagesAbout')}>
        <div className="grid gap-5">
          <Switch
            label={t('fields.personal_page_enabled')}
            hint={t('pageHint')}
            isSelected={draft.personal_page_enabled}
            onChange={personal_page_enabled => change({ personal_page_enabled })}
            isDisabled={isReadOnly}
          />
          {draft.personal_page_enabled && (
            <DaysField
              label={t('fields.personal_page_link_days')}
              name="personal_page_link_days"
              value={draft.personal_page_link_days}
              onChange={personal_page_link_days => change({ personal_page_link_days })}
              foreverLabel={t('linkForever')}
              foreverHint={t('linkForeverHint')}
              daysLabel={t('linkDays')}
              daysHint={t('linkDaysHint')}
              initial={180}
              isReadOnly={isReadOnly}
            />
          )}
        </div>
      </Card>
      <Card title={t('approvalTitle')} about={t('approvalAbout')}>
        <RadioChoice
          label={t('fields.publish_approval')}
          value={draft.publish_approval}
          onChange={publish_approval => change({ publish_approval })}
          options={[
            { id: 'none', label: t('approvalNone'), hint: t('approvalNoneHint') },
            { id: 'required', label: t('approvalRequired'), hint: t('approvalRequiredHint') },
          ]}
          isDisabled={isReadOnly}
        />
      </Card>
    </>
  )
}
