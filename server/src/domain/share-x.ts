import { headers, type ShareX } from '@svc/contract'

/**
 * What makes ShareX send to this server: a double click on the file installs it.
 * @param base address of the web application, with a slash at its end
 */
export function shareX(base: string): ShareX {
  return {
    Version: '14.0.0',
    // Those who send to several servers tell them apart by it.
    Name: `Svc at ${new URL(base).host}`,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: base,
    Body: 'MultipartFormData',
    FileFormName: 'file',
    // The answer is the link and the end of its line; the dot stops before that.
    URL: '{regex:http.+}',
    // A page with a button, since a link that is only looked at must not remove anything.
    DeletionURL: `${base}#/?id={header:${headers.uploadId}}&uploadToken={header:${headers.uploadToken}}`,
    ErrorMessage: '{response}',
  }
}
