/** Of an answer 407. */
export const proxyAsksForLogin = 'the proxy asks for a login, which stands in its address: http://user:password@host';
