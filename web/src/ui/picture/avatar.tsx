import { classes } from '../base/classes.ts'

interface AvatarProps {
  readonly name: string
  readonly src?: string | null
  readonly size?: number
}

const initialsOf = (name: string): string =>
  name
    .split(/[\s.@_-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0]?.toUpperCase())
    .join('')

/** The picture of a person, or the initials. The name stands beside it, so it is decoration. */
export const Avatar = ({ name, src, size = 32 }: AvatarProps) =>
  src ? (
    <img
      src={src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      className="shrink-0 rounded-full bg-sunken object-cover"
      style={{ width: size, height: size }}
    />
  ) : (
    <span
      aria-hidden="true"
      className={classes(
        'grid shrink-0 place-items-center rounded-full bg-accent-soft font-medium text-accent',
      )}
      style={{ width: size, height: size, fontSize: size * 0.38 }}
    >
      {initialsOf(name)}
    </span>
  )
