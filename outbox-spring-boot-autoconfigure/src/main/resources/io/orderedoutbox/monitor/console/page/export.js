// Lets the browser save what the application exports.

import { download } from './api.js';
import { toast } from './dialogs.js';
import { count, element, plural } from './dom.js';

// The browser keeps the file until it is saved
const MOST = 100_000;

const linesOf = async (file) => {
  const chunks = file.stream().getReader();
  let lines = 0;
  for (let { done, value } = await chunks.read(); !done; { done, value } = await chunks.read()) {
    lines += value.reduce((sum, byte) => byte === 10 ? sum + 1 : sum, 0);
  }
  return lines;
};

function save(file, name) {
  const address = URL.createObjectURL(file);
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Saves the messages of a list, all pages of it
export async function exportList(parameters) {
  const file = await download('export', { ...parameters, limit: MOST });
  const lines = await linesOf(file);
  if (lines === 0) {
    toast('There is nothing to export.');
    return;
  }
  save(file, `outbox-${parameters.state}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`);
  toast(lines >= MOST ? `Export: the first ${count(MOST)} messages. The endpoint exports all of them.`
    : `Export: ${plural(lines, 'message')}`);
}
