import type { Asset } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { Badge } from '#ui/page.tsx'

const AssetCard = ({ asset, onOpen }: { readonly asset: Asset; readonly onOpen: () => void }) => {
  const t = useTranslations('assets')
  const format = useFormatter()
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="group block w-full overflow-hidden rounded-2xl border border-line bg-card text-start hover:border-edge"
      >
        <span className="checkered grid h-36 place-items-center overflow-hidden p-3">
          <img
            src={asset.url}
            alt=""
            loading="lazy"
            decoding="async"
            className="max-h-full max-w-full object-contain"
          />
        </span>
        <span className="block border-t border-line p-3">
          <span className="block truncate font-medium">{asset.name}</span>
          <span className="mt-1 flex flex-wrap items-center gap-1.5 text-xs text-muted">
            {format.number(asset.width)} × {format.number(asset.height)}
            {asset.role !== null && <Badge>{t(`roles.${asset.role}`)}</Badge>}
            {asset.in_use && (
              <Badge look="good">
                {asset.signature_template_count > 0
                  ? t('inSignatures', { count: asset.signature_template_count })
                  : t('inUse')}
              </Badge>
            )}
          </span>
        </span>
      </button>
    </li>
  )
}

interface AssetGridProps {
  readonly assets: readonly Asset[]
  readonly onOpen: (asset: Asset) => void
}

export const AssetGrid = ({ assets, onOpen }: AssetGridProps) => (
  <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
    {assets.map(asset => (
      <AssetCard key={asset.id} asset={asset} onOpen={() => onOpen(asset)} />
    ))}
  </ul>
)
