import type { Brand } from '@signoff/sdk'

/** Props of every card of the page. */
export interface BrandPartProps {
  readonly draft: Brand
  readonly change: (values: Partial<Brand>) => void
  readonly isReadOnly: boolean
}
