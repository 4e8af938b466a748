import type { IconName } from '@signoff/render'
import { useIconPictures } from './icon-pictures.ts'

/** Decoration: the control around it carries the name. */
export function IconPicture({ name }: { readonly name: IconName }) {
  const src = useIconPictures()?.get(name)
  return src ? (
    <img src={src} alt="" width={20} height={20} loading="lazy" className="size-5 shrink-0 object-contain" />
  ) : (
    <span className="size-5 shrink-0 rounded bg-sunken" />
  )
}
