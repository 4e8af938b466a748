import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { kindOf } from '../kinds.ts'

export const KindIcon = ({ kind, isOn = false }: { readonly kind: string; readonly isOn?: boolean }) => (
  <span
    className={classes(
      'grid size-10 shrink-0 place-items-center rounded-xl',
      isOn ? 'bg-accent-soft text-accent' : 'bg-sunken',
    )}
  >
    <Icon name={kindOf(kind)?.icon ?? 'plug'} size={20} />
  </span>
)
