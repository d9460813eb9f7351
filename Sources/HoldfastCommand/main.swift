launch {
    guard let arguments = commandLineArguments() else {
        Console.writeToStandardError("hold: error: an argument is not valid UTF-8\n")
        return .wrongUsage
    }
    return await CommandLineRunner.run(arguments)
}
