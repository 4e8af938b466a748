import { useTranslations } from 'use-intl'
import { classes } from '#ui/classes.ts'
import { Icon } from '#ui/icon.tsx'
import { Card, LoadError, Skeleton } from '#ui/page.tsx'
import { PathLink } from '#ui/text-link.tsx'
import { type AttentionItem, useAttention } from './attention.ts'

const Item = ({ item }: { readonly item: AttentionItem }) => {
  const t = useTranslations('home.attention')
  return (
    <li>
      <PathLink
        to={item.to}
        search={item.search}
        className="-mx-2 flex items-start gap-3 rounded-xl px-2 py-2.5 hover:bg-sunken"
      >
        <span
          className={classes(
            'grid size-8 shrink-0 place-items-center rounded-lg',
            item.isSevere ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
          )}
        >
          <Icon name={item.icon} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{t(`${item.kind}.title`, item.values)}</span>
          <span className="block text-[0.8125rem] text-muted">{t(`${item.kind}.about`, item.values)}</span>
        </span>
        <Icon name="chevron-right" className="mt-2 text-muted rtl:rotate-180" />
      </PathLink>
    </li>
  )
}

export function AttentionCard() {
  const t = useTranslations('home.attention')
  const { items, isLoading, error, retry } = useAttention()
  return (
    <Card title={t('title')}>
      {error && <LoadError error={error} onRetry={retry} />}
      {items.length > 0 && (
        <ul className="-my-1 grid">
          {items.map(item => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
      {items.length === 0 && isLoading && <Skeleton lines={3} />}
      {items.length === 0 && !isLoading && !error && (
        <p className="flex items-center gap-2.5 text-muted">
          <Icon name="circle-check" size={20} className="text-good" />
          {t('nothing')}
        </p>
      )}
    </Card>
  )
}
