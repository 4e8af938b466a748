// Links that leave the dashboard: guides, and the consoles of other systems.
import { useTranslations } from 'use-intl'
import { Icon } from '#ui/base/icon.tsx'

const linkClasses = 'inline-flex items-center gap-1 rounded font-medium text-accent hover:underline'

export const OuterLink = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <a href={href} target="_blank" rel="noreferrer" className={linkClasses}>
    {children}
    <Icon name="external-link" size={13} />
  </a>
)

export function GuideLink({ href }: { readonly href: string }) {
  const t = useTranslations('integrations')
  return (
    <a href={href} target="_blank" rel="noreferrer" className={linkClasses}>
      <Icon name="book-open" size={14} />
      {t('guide')}
    </a>
  )
}
