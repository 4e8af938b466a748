import { useMutation } from '@tanstack/react-query'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, type ButtonProps } from '../base/button.tsx'
import { saveFile } from '../base/download.ts'
import { toastError } from './toast.tsx'

interface DownloadButtonProps extends Pick<ButtonProps, 'isSmall' | 'aria-label' | 'children'> {
  readonly name: string
  readonly read: () => Promise<Response>
}

/** Reads a file from the API and saves it. A toast says why that failed. */
export function DownloadButton({ name, read, ...button }: DownloadButtonProps) {
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(name, await (await read()).blob()),
    onError: error => toastError(messageOf(error)),
  })
  return <Button {...button} icon="download" isPending={isPending} onPress={() => mutate()} />
}
