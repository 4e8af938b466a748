import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../base/button.tsx'
import type { IconName } from '../base/icon.tsx'
import { Actions, Dialog } from '../overlay/dialog.tsx'
import type { DialogProps } from '../overlay/dialog-frame.tsx'
import { Form, type FormProps } from './form.tsx'

interface FormDialogProps<Result>
  extends Omit<FormProps<Result>, 'children'>,
    Pick<DialogProps, 'title' | 'onClose' | 'size' | 'isModalOnly'> {
  /** A sentence above the form. */
  readonly about?: ReactNode
  /** The verb: “Invite”, “Save”. */
  readonly action: ReactNode
  readonly icon?: IconName
  readonly isDisabled?: boolean
  readonly children: ReactNode
}

/** An open dialog with a form that sends one request. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, onClose, size, isModalOnly, about, action, icon, isDisabled, children, ...form } = props
  const t = useTranslations('shell')
  const dialog = { title, onClose, ...(size && { size }), ...(isModalOnly && { isModalOnly }) }
  return (
    <Dialog {...dialog}>
      {about && <p className="mb-4 text-muted">{about}</p>}
      <Form {...form}>
        {({ isPending }) => (
          <>
            {children}
            <Actions>
              <Button onPress={onClose}>{t('cancel')}</Button>
              <Button
                type="submit"
                variant="primary"
                isPending={isPending}
                {...(icon && { icon })}
                {...(isDisabled && { isDisabled })}
              >
                {action}
              </Button>
            </Actions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
