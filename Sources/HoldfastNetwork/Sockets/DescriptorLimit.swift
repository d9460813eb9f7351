/// Lets this process have as many open connections as the system allows it.
package func raiseDescriptorLimit() { SocketCalls.raiseDescriptorLimit() }
